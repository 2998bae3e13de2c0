import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { ProgramCaller } from "../caller.ts";

/** Number of bytes of a hook's stderr that are kept. */
const errorBytesMax = 16 * 1024;

/** Windows has no process groups. */
const isWindows = process.platform === "win32";

/** Options of all hooks; each call adds the variables of its step. */
interface HookOptions {
  readonly timeoutMs: number;
  readonly variables: ProgramCaller["variables"];
  /** Working directory of the hook. */
  readonly folder: string;
}

/** Runs a command. Resolves to undefined, or to the reason if it failed: a line of its stderr and its exit code. */
export function runHook(
  command: string,
  variables: Readonly<Record<string, string>>,
  { timeoutMs, variables: inherited, folder }: HookOptions,
): Promise<string | undefined> {
  const named = Object.entries(variables).map(([name, value]) => [`UNDERSTUDY_${name.toUpperCase()}`, value]);
  // In a process group of its own, so that all processes of the shell end with it. On Windows it would open a window.
  const child = spawn(command, {
    cwd: folder,
    shell: true,
    detached: !isWindows,
    windowsHide: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...inherited, ...Object.fromEntries(named) },
  });
  let error = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    error = `${error}${text}`.slice(-errorBytesMax);
  });
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endAll(child);
    }, timeoutMs);
    const end = (why: string | undefined) => {
      clearTimeout(timer);
      resolve(why);
    };
    child.on("error", ({ message }) => end(message));
    child.on("close", (code) => {
      if (isLate) end(`it took longer than ${timeoutMs / 1000} seconds`);
      else end(code === 0 ? undefined : failureText({ command, folder }, code, error));
    });
  });
}

/** Ends the shell with all processes that it started. */
function endAll({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (isWindows) spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
  else endGroup(pid);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The process group has already ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Exit code of a shell for an unknown command. */
const notFound = 127;

interface FailedCommand {
  readonly command: string;
  readonly folder: string;
}

function failureText({ command, folder }: FailedCommand, code: number | null, stderr: string): string {
  const ended = code === null ? "a signal ended it" : `it ended with exit code ${code}`;
  const line = errorLine(stderr);
  const isMissing =
    code === notFound ||
    /Cannot find module|No such file or directory|MODULE_NOT_FOUND|is not recognized as/.test(stderr);
  const advice = isMissing ? `; paths in ${JSON.stringify(command)} are relative to ${folder}` : "";
  return `${line === undefined ? ended : `${line} (${ended})`}${advice}`;
}

/** The first line that starts with the name of an error, else the last line. A failing Node prints its version last. */
function errorLine(text: string): string | undefined {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.find((line) => /^(?:Uncaught )?[A-Za-z]*(?:Error|Exception)\b(?: \[\w+\])?:/.test(line)) ?? lines.at(-1);
}
