import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Output of a command on both streams, and its exit code. */
export interface Printed {
  readonly out: string;
  readonly code: number;
}

/** The folder and the exported variables of a shell. */
export interface Surroundings {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A bash process for a whole page, so variables, functions and jobs stay. */
export class GuideShell {
  readonly #child: ChildProcess;
  #out = "";
  #runs = 0;

  constructor({ folder, env }: Surroundings) {
    this.#child = spawn("bash", ["--norc", "--noprofile"], { cwd: folder, env, stdio: "pipe", detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#out += text;
        this.#child.emit("printed");
      });
    this.#child.once("close", () => this.#child.emit("printed"));
  }

  /** Runs one or more lines. The code is that of the last line, or else of a line before it that failed. */
  async run(lines: string): Promise<Printed> {
    this.#runs += 1;
    const mark = `understudy-guide-${process.pid}-${this.#runs}`;
    this.#out = "";
    const failed = "understudy_guide_failed";
    this.#child.stdin?.write(
      `${failed}=0; trap '${failed}=$?' ERR\n{ ${lines}\n} 2>&1 </dev/null; [ $? = 0 ]; echo "${mark} $${failed}"; trap - ERR\n`,
    );
    const end = new RegExp(`${mark} (\\d+)\n`);
    for (let found = end.exec(this.#out); ; found = end.exec(this.#out)) {
      if (found !== null) return { out: this.#out.slice(0, found.index), code: Number(found[1]) };
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return { out: this.#out, code: -1 };
      await once(this.#child, "printed");
    }
  }

  async surroundings(): Promise<Surroundings> {
    const { out } = await this.run('printf "%s\\0" "$PWD"; env -0');
    const [folder = "", ...variables] = out.split("\0").slice(0, -1);
    const env = variables.map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)] as const);
    return { folder, env: Object.fromEntries(env) };
  }

  /** Ends the shell and its processes. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "close");
    this.kill();
    await ended;
  }

  kill(): void {
    if (this.#child.pid !== undefined && this.#child.exitCode === null) process.kill(-this.#child.pid, "SIGKILL");
  }
}

/** A command that runs until it is interrupted, such as `understudy serve`. */
export class GuideServer {
  readonly #child: ChildProcess;
  #out = "";
  #hasClosed = false;

  constructor(line: string, { folder, env }: Surroundings) {
    this.#child = spawn("bash", ["-c", `exec ${line} 2>&1`], { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#out += text;
      this.#child.emit("printed");
    });
    this.#child.once("close", () => {
      this.#hasClosed = true;
      this.#child.emit("printed");
    });
  }

  /** Output since the last call. */
  take(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  /** Resolves to true when the server is ready, and to false if it ended. */
  async ready(): Promise<boolean> {
    const isReady = () => /Stop with Ctrl-C|"event":"ready"/.test(this.#out);
    while (!isReady() && !this.#hasClosed) await once(this.#child, "printed");
    return isReady();
  }

  /** Interrupts the server like Ctrl-C, and waits for its output. */
  async interrupt(): Promise<void> {
    if (this.#hasClosed) return;
    const closed = once(this.#child, "close");
    this.#child.kill("SIGINT");
    await closed;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}
