import { spawn } from "node:child_process";
import type { Environment } from "../options.ts";

/** Bytes of a hook's stderr that are kept, for its last line. */
const errorBytesMax = 16 * 1024;

/** What every hook gets beside the variables of its step. */
export interface HookOptions {
  readonly timeoutMs: number;
  readonly variables: Environment["variables"];
  /** The folder that it runs in. */
  readonly folder: string;
}

/** Gives why the command failed: its exit code, and what its stderr says of it. */
export function runHook(
  command: string,
  variables: Readonly<Record<string, string>>,
  { timeoutMs, variables: inherited, folder }: HookOptions,
): Promise<string | undefined> {
  const named = Object.entries(variables).map(([name, value]) => [`UNDERSTUDY_${name.toUpperCase()}`, value]);
  // A process group of its own, so that whatever the shell starts ends with it.
  const child = spawn(command, {
    cwd: folder,
    shell: true,
    detached: true,
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
      endGroup(child.pid);
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

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has ended in the meantime.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The exit code of a shell that finds no such command. */
const notFound = 127;

interface FailedCommand {
  readonly command: string;
  readonly folder: string;
}

function failureText({ command, folder }: FailedCommand, code: number | null, stderr: string): string {
  const ended = code === null ? "it was ended by a signal" : `it ended with exit code ${code}`;
  const said = tellingLine(stderr);
  const isMissing = code === notFound || /Cannot find module|No such file or directory|MODULE_NOT_FOUND/.test(stderr);
  const advice = isMissing ? `; paths in ${JSON.stringify(command)} are found from ${folder}` : "";
  return `${said === undefined ? ended : `${said} (${ended})`}${advice}`;
}

/** The first line that begins with an error's name; a Node that fails ends with its own version. Else the last line. */
function tellingLine(text: string): string | undefined {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.find((line) => /^(?:Uncaught )?[A-Za-z]*(?:Error|Exception)\b(?: \[\w+\])?:/.test(line)) ?? lines.at(-1);
}
