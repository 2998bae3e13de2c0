import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

// Tests run at once, so what they start is ended when the last one is over.
const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanup of cleanups) cleanup();
});

export interface Ran {
  readonly exitCode: number | null;
  readonly out: string;
  readonly error: string;
}

export interface Setting {
  readonly folder?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Runs `understudy` to its end, from the repository's root unless the setting names a folder. */
export async function understudy(words: readonly string[], setting: Setting = {}): Promise<Ran> {
  const child = start(words, setting);
  const [out, error] = [gather(child.stdout), gather(child.stderr)];
  const [exitCode] = await once(child, "close");
  return { exitCode: typeof exitCode === "number" ? exitCode : null, out: await out, error: await error };
}

/** A running `understudy serve` on a free port; it is ended after the file's last test. */
export async function serving(
  words: readonly string[],
  setting: Setting = {},
): Promise<{ readonly url: string; readonly child: ChildProcess; readonly ready: string }> {
  const child = start(["serve", "--port", "0", ...words], setting);
  let ready = "";
  for await (const chunk of child.stdout ?? []) {
    ready += String(chunk);
    const url = /https?:\/\/[\w.[\]:]+:\d+/.exec(ready)?.[0];
    if (url !== undefined && /Stop with Ctrl-C|"event":"ready"/.test(ready)) return { url, child, ready };
  }
  throw new Error(`serve ended: ${ready}`);
}

/** A folder of its own for a test; it is removed after the file's last test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "understudy-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function start(words: readonly string[], { folder = root, variables = {} }: Setting): ChildProcess {
  const env = { PATH: process.env["PATH"] ?? "", ...variables };
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  cleanups.push(() => child.kill("SIGKILL"));
  return child;
}

async function gather(stream: AsyncIterable<unknown> | null): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
