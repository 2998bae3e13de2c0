import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inject } from "vitest";
import { afterFile } from "../_after-file.ts";
import { type Options, type Ran, root } from "./_command-line.ts";

/** The command line as it was bundled for these tests. */
export const main: string = inject("commandLine");

/** Runs `understudy` to its end in a process of its own: for tests of exit codes, streams and signals of the binary. */
export async function understudyProcess(words: readonly string[], options: Options = {}): Promise<Ran> {
  const child = start(words, options);
  const [out, error] = [gather(child.stdout), gather(child.stderr)];
  const [exitCode] = await once(child, "close");
  return { exitCode: typeof exitCode === "number" ? exitCode : null, out: await out, error: await error };
}

export interface RunningProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ready: string;
  /** All that it printed and its exit code, once it has ended. */
  ended(): Promise<Ran>;
}

/** A process that runs `understudy serve` on a free port; it is ended after the file's last test. */
export function servingProcess(words: readonly string[], options: Options = {}): Promise<RunningProcess> {
  return ready(start(["serve", "--port", "0", ...words], options));
}

/** A process that goes on, once it has said where it listens. */
export function ready(child: ChildProcess): Promise<RunningProcess> {
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

/** A process that runs `understudy`; it is ended after the file's last test. */
export function start(words: readonly string[], { folder = root, variables = {} }: Options = {}): ChildProcess {
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
