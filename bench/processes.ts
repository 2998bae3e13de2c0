import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { Cores } from "./machine.ts";
import { parseMegabytes, parseStat } from "./process-files.ts";

/** A command with its arguments, working folder and environment. */
export interface Launch {
  readonly command: string;
  readonly words: readonly string[];
  readonly folder?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface Memory {
  readonly rssMegabytes: number;
  /** Shared pages count proportionally. */
  readonly pssMegabytes: number;
}

/** Time limit for a process to end before it is killed. */
const endGraceMs = 5000;

/** Pins the command to one or several cores; unchanged if the system cannot pin processes. */
export function pinned(launch: Launch, cores: readonly number[]): Launch {
  if (cores.length === 0) return launch;
  return { ...launch, command: "taskset", words: ["-c", cores.join(","), launch.command, ...launch.words] };
}

/** Moves this process away from the core of the servers. */
export function stepAside(cores: Cores | undefined): void {
  if (cores !== undefined) spawnSync("taskset", ["-acp", String(cores.load), String(process.pid)], { stdio: "ignore" });
}

/** A child process with its descendants. It ends with this process. */
export class Started {
  readonly #child: ChildProcess;
  #errors = "";
  #problem: string | undefined;

  constructor({ command, words, folder, variables }: Launch) {
    this.#child = spawn(command, words, {
      stdio: ["ignore", "ignore", "pipe"],
      cwd: folder,
      env: { ...process.env, ...variables },
    });
    const kill = () => this.#child.kill("SIGKILL");
    process.once("exit", kill);
    this.#child.once("exit", () => process.off("exit", kill));
    this.#child.once("error", (error) => {
      this.#problem = error.message;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-2000);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The reason why it ended; undefined while it runs. */
  get ended(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return this.#problem;
    return this.#problem ?? `it ended with ${exitCode ?? signalCode}: ${this.#errors.trim()}`;
  }

  /** Processor time of it and its descendants in milliseconds. */
  cpuMs(): number {
    return [this.pid, ...descendantsOf(this.pid)].reduce((sum, pid) => sum + (statOf(pid)?.cpuMs ?? 0), 0);
  }

  memory(): Memory {
    const rollups = [this.pid, ...descendantsOf(this.pid)].map((pid) =>
      readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"),
    );
    const sum = (name: string) => rollups.reduce((total, text) => total + parseMegabytes(text, name), 0);
    return { rssMegabytes: sum("Rss"), pssMegabytes: sum("Pss") };
  }

  async stop(): Promise<void> {
    if (this.ended !== undefined) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    const grace = setTimeout(() => this.#child.kill("SIGKILL"), endGraceMs);
    await ended;
    clearTimeout(grace);
  }
}

function statOf(pid: number | string): ReturnType<typeof parseStat> | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

/** All descendants of a process. */
function descendantsOf(pid: number): readonly number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.map((name) => [Number(name), statOf(name)?.parent]));
  const childrenOf = (parent: number): readonly number[] =>
    [...parents].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...childrenOf(child)]);
  return childrenOf(pid);
}

/** A free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === "string") reject(new Error("a listening server has a port"));
        else resolve(address.port);
      });
    });
  });
}

/** Runs a command and returns its output; throws its error output if it fails. */
export function finished({ command, words, folder, variables }: Launch): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd: folder, env: { ...process.env, ...variables } });
    const [out, errors]: [string[], string[]] = [[], []];
    child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("error", reject);
    child.once("close", (code) => {
      process.off("exit", kill);
      if (code === 0) resolve(out.join(""));
      else reject(new Error(`${command} ${words.join(" ")} ended with ${code}: ${errors.join("").slice(-2000)}`));
    });
  });
}
