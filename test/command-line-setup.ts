import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { bundleCommandLine } from "../tools/bundle-command-line.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The command line as the package has it, bundled of the sources as they are now. */
    commandLine: string;
  }
}

/** Bundles the command line once for all tests that start it: so it starts sooner, and as users have it. */
export async function setup(project: TestProject): Promise<() => void> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const bundled = join(root, ".bundled");
  for (const name of existsSync(bundled) ? readdirSync(bundled) : []) removeLeft(join(bundled, name));
  const folder = join(bundled, `cli-${process.pid}`);
  await bundleCommandLine(folder, new Set());
  project.provide("commandLine", join(folder, "main.cjs"));
  return () => rmSync(folder, { recursive: true, force: true });
}

/** What a run that was killed has left. */
function removeLeft(folder: string): void {
  try {
    process.kill(Number(folder.split("-").at(-1)), 0);
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}
