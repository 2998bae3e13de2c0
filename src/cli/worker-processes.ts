import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Team } from "../workers/team.ts";
import { withoutControlToken } from "./control-access.ts";
import type { Environment } from "./options.ts";
import { workerVariable } from "./worker-flags.ts";
import { type FromWorker, isMessage, type ToWorker } from "./worker-messages.ts";

type Told<Type extends FromWorker["type"]> = Extract<FromWorker, { readonly type: Type }>;

export interface WorkersSettings {
  readonly team: Team;
  readonly environment: Environment;
  readonly startMs: number | undefined;
  readonly controlToken: string | undefined;
  /** Told of each finding that is the first of its kind for a worker. */
  readonly onConduct: (told: Told<"conduct">) => void;
}

/** The processes that serve the worlds of a stub, as the first process sees them. None outlives it. */
export class WorkerProcesses {
  /** Resolves, with what happened, when one ends that should not. */
  readonly died: Promise<string>;
  readonly #children: readonly ChildProcess[];
  readonly #ended = new Set<ChildProcess>();
  #noteDeath: (what: string) => void = () => undefined;

  /** Starts the same command once for each worker. */
  constructor({ team, environment, startMs, controlToken, onConduct }: WorkersSettings) {
    this.died = new Promise((resolve) => {
      this.#noteDeath = resolve;
    });
    const secret = randomBytes(32).toString("base64url");
    this.#children = Array.from({ length: team.count }, (_, index) => {
      const worker = index + 1;
      const child = startAgain(environment);
      child.once("exit", (code, signal) => {
        this.#exited(worker, child, signal === null ? `with exit code ${code}` : `by ${signal}`);
      });
      child.on("error", () => this.#exited(worker, child, "before it began"));
      child.on("message", (message) => {
        if (isMessage<FromWorker>(message) && message.type === "conduct") onConduct(message);
      });
      say(child, { type: "begin", duty: { worker, team, secret, startMs, controlToken } });
      return child;
    });
  }

  get pids(): readonly (number | undefined)[] {
    return this.#children.map(({ pid }) => pid);
  }

  /** Resolves when all workers answer, and know each other. */
  async ready(): Promise<void> {
    const told = await Promise.all(this.#children.map((child) => next(child, "listening")));
    const ports = new Map(told.flatMap((message, index) => (message === undefined ? [] : [[index + 1, message.port]])));
    for (const child of this.#children) say(child, { type: "met", ports });
  }

  /** Gives a connection to a worker, with what has been read of it. */
  hand(worker: number, socket: Socket, bytes: Uint8Array): void {
    const child = this.#children[worker - 1];
    if (child?.connected === true) say(child, { type: "connection", bytes }, socket);
    else socket.destroy();
  }

  /** Lets requests in flight end, then the workers; what they have to say of their clients. */
  async stop(): Promise<readonly Told<"ended">[]> {
    const living = this.#children.filter((child) => child.connected);
    await Promise.all(living.map((child) => asked(child, { type: "drain" }, "drained")));
    const told = await Promise.all(living.map((child) => this.#end(child)));
    return told.flatMap((message) => message ?? []);
  }

  async #end(child: ChildProcess): Promise<Told<"ended"> | undefined> {
    const told = await asked(child, { type: "end" }, "ended");
    if (told !== undefined) this.#ended.add(child);
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return told;
  }

  #exited(worker: number, child: ChildProcess, how: string): void {
    if (!this.#ended.has(child)) this.#noteDeath(`Worker ${worker} (process ${child.pid}) ended ${how}`);
  }
}

function startAgain({ program, variables }: Environment): ChildProcess {
  if (program === undefined) throw new Error("invariant: workers are started by a process");
  return fork(program.file, withoutControlToken(program.words), {
    env: { ...variables, [workerVariable]: "1" },
    // Two processes cannot be debugged at one port.
    execArgv: program.nodeWords.filter((word) => !word.startsWith("--inspect")),
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

function say(child: ChildProcess, message: ToWorker, socket?: Socket): void {
  // A worker that cannot be told has ended, and that is noticed elsewhere.
  child.send(message, socket, {}, (error) => {
    if (error !== null) socket?.destroy();
  });
}

function asked<Type extends FromWorker["type"]>(
  child: ChildProcess,
  message: ToWorker,
  type: Type,
): Promise<Told<Type> | undefined> {
  const answer = next(child, type);
  say(child, message);
  return answer;
}

/** The next message of that type; undefined where the worker ends before. */
function next<Type extends FromWorker["type"]>(child: ChildProcess, type: Type): Promise<Told<Type> | undefined> {
  return new Promise((resolve) => {
    const end = (told: Told<Type> | undefined): void => {
      child.off("message", hear);
      child.off("exit", leave);
      resolve(told);
    };
    const hear = (message: unknown): void => {
      if (isMessage<Told<Type>>(message) && message.type === type) end(message);
    };
    const leave = (): void => end(undefined);
    child.on("message", hear);
    child.on("exit", leave);
    if (child.exitCode !== null || child.signalCode !== null) leave();
  });
}
