import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { promisify } from "node:util";

/** A command with its arguments, working folder and environment. */
export interface Launch {
  readonly command: string;
  readonly words: readonly string[];
  readonly folder?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** The measured process has a core of its own. This process and its load have the other (package.json). */
export const measuredCore = "0";

/** Time limit for a process to end before it is killed. */
const endGraceMs = 5000;
const outputBytesMax = 2 ** 28;

/** A command of Node. */
export function node(...words: readonly string[]): Launch {
  return { command: process.execPath, words };
}

/** Pins a command to cores, in the notation of `taskset`. */
export function pinned(launch: Launch, cores: string = measuredCore): Launch {
  return { ...launch, command: "taskset", words: ["-c", cores, launch.command, ...launch.words] };
}

/** A process on the measured core. It ends with this process. */
export class Started {
  readonly #child: ChildProcess;
  #output = "";
  #problem: string | undefined;

  constructor(launch: Launch, core: string = measuredCore) {
    const { command, words, folder, variables } = pinned(launch, core);
    this.#child = spawn(command, words, {
      stdio: ["ignore", "ignore", "pipe"],
      cwd: folder,
      env: { ...process.env, ...variables },
    });
    const kill = () => this.#child.kill("SIGKILL");
    process.once("exit", kill);
    this.#child.once("exit", () => process.off("exit", kill));
    this.#child.once("error", ({ message }) => {
      this.#problem = message;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#output = (this.#output + text).slice(-2000);
    });
  }

  /** The reason why it ended; undefined while it runs. */
  get ended(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return this.#problem;
    return this.#problem ?? `it ended with ${exitCode ?? signalCode}: ${this.#output.trim()}`;
  }

  /** Processor time of its threads in microseconds (`/proc/PID/task/TID/schedstat`, nanoseconds). */
  cpuMicros(): number {
    const tasks = `/proc/${this.#child.pid}/task`;
    const times = readdirSync(tasks).map((task) =>
      Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]),
    );
    return times.reduce((sum, nanos) => sum + nanos, 0) / 1000;
  }

  /** Resident memory in megabytes. */
  residentMegabytes(): number {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, "utf8"))?.[1];
    return (Number(kibibytes) * 1024) / 1e6;
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

/** Runs a command and returns its output; throws its error output if it fails. */
export async function finished({ command, words, folder, variables }: Launch): Promise<string> {
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(command, words, { cwd: folder, env, maxBuffer: outputBytesMax });
  return stdout;
}

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
