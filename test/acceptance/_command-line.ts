import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { afterFile } from "../_after-file.ts";

/** The command line as it was bundled for these tests. */
export const main: string = inject("commandLine");
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

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

export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ready: string;
  /** All that it printed and its exit code, once it has ended. */
  ended(): Promise<Ran>;
}

/** A running `understudy serve` on a free port; it is ended after the file's last test. */
export async function serving(words: readonly string[], setting: Setting = {}): Promise<Running> {
  return ready(start(["serve", "--port", "0", ...words], setting));
}

/** A running `understudy record` on a free port; it is ended after the file's last test. */
export function recording(words: readonly string[], setting: Setting = {}): Promise<Running> {
  return ready(start(["record", "--port", "0", ...words], setting));
}

/** A command that goes on, once it has said where it listens. */
export function ready(child: ChildProcess): Promise<Running> {
  let [out, isReady] = ["", false];
  return new Promise((resolve, reject) => {
    child.once("close", () => reject(new Error(`the command ended: ${out}`)));
    child.stdout?.on("data", (chunk) => {
      out += String(chunk);
      const url = /https?:\/\/[\w.[\]:]+:\d+/.exec(out)?.[0];
      if (isReady || url === undefined || !/Stop with Ctrl-C|"event":"ready"/.test(out)) return;
      isReady = true;
      resolve({ url, child, ready: out, ended: () => ended(child, () => out) });
    });
  });
}

async function ended(child: ChildProcess, out: () => string): Promise<Ran> {
  const error = gather(child.stderr);
  const [exitCode] = await once(child, "close");
  return { exitCode: typeof exitCode === "number" ? exitCode : null, out: out(), error: await error };
}

/** A folder of its own for a test; it is removed after the file's last test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "understudy-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function start(words: readonly string[], { folder = root, variables = {} }: Setting): ChildProcess {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...variables };
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  afterFile(() => child.kill("SIGKILL"));
  return child;
}

async function gather(stream: AsyncIterable<unknown> | null): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
