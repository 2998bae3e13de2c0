import { once } from "node:events";
import { vi } from "vitest";
import { randomFrom } from "../_random.ts";
import { type RunningProcess, servingProcess } from "../acceptance/_process.ts";
import { storedProblems } from "./_stored-problems.ts";
import { type Replicas, Writer } from "./_writer.ts";

/** Replicas under load, while faults are injected one after the other. */
export interface Load {
  readonly url: string;
  readonly faults: number;
  /** Processes that serve at a time. */
  readonly replicas: number;
  readonly seed: number;
  /** The environment of the processes. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Injects a fault, and ends it. */
  readonly inject: (fleet: Fleet, random: () => number) => Promise<void>;
}

/** What clients and the store have seen of the faults. */
export interface Outcome {
  readonly acknowledged: number;
  /** Requests without a response, or with one that does not say whether they were executed. */
  readonly unknown: number;
  /** Requests that were refused with 503 and sent again. */
  readonly refused: number;
  /** Acknowledged changes that are lost, changes that were applied twice, other responses than expected, processes that ended. */
  readonly problems: readonly string[];
}

const forks = 2;
const writersOfWorld = 2;
/** Most writes between two faults. */
const writesMax = 80;
const patience = { timeout: 120_000, interval: 2 };
/** A process that does not respond for this time is stuck. */
const liveMsMax = 5000;

/** The processes that serve a store. */
export class Fleet {
  readonly problems: string[] = [];
  readonly #start: () => Promise<RunningProcess>;
  #running: readonly RunningProcess[] = [];

  constructor(start: () => Promise<RunningProcess>) {
    this.#start = start;
  }

  get urls(): readonly string[] {
    return this.#running.map(({ url }) => url);
  }

  async add(): Promise<void> {
    const added = await this.#start();
    let errors = "";
    added.child.stderr?.on("data", (chunk) => {
      errors = `${errors}${String(chunk)}`.slice(-1000);
    });
    added.child.once("close", (code, signal) => {
      if (this.#running.includes(added)) this.problems.push(`a process ended with ${code ?? signal}: ${errors}`);
    });
    this.#running = [...this.#running, added];
    void this.#watch(added);
  }

  /** Kills a process, and starts another one. */
  async replace(random: () => number): Promise<void> {
    const victim = this.#running[Math.floor(random() * this.#running.length)];
    if (victim === undefined) throw new Error("no replica is left");
    await this.#kill(victim);
    await this.add();
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map((each) => this.#kill(each)));
  }

  async #kill(victim: RunningProcess): Promise<void> {
    this.#running = this.#running.filter((each) => each !== victim);
    if (victim.child.exitCode !== null) return;
    const ended = once(victim.child, "close");
    victim.child.kill("SIGKILL");
    await ended;
  }

  /** A process always responds, whatever its store does. */
  async #watch(watched: RunningProcess): Promise<void> {
    const request = () => fetch(`${watched.url}/__understudy/live`, { signal: AbortSignal.timeout(liveMsMax) });
    while (this.#running.includes(watched)) {
      await request().catch((error: unknown) => {
        if (String(error).includes("TimeoutError")) this.problems.push(`no response for ${liveMsMax} ms`);
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Injects faults at random times while clients write, and compares the worlds with what was acknowledged. */
export async function underLoad({ url, faults, replicas, seed, variables, inject }: Load): Promise<Outcome> {
  const random = randomFrom(seed);
  const options = variables === undefined ? {} : { variables };
  const fleet = new Fleet(() => servingProcess(["--store", url, "--limit", "leaseMs=1000"], options));
  await Promise.all(Array.from({ length: replicas }, () => fleet.add()));
  const urls = () => fleet.urls;
  const worlds = ["default", ...(await forksAt(urls))];
  const byWorld = new Map(worlds.map((world, number) => [world, writersOf(world, number, seed, urls)]));
  const writers = [...byWorld.values()].flat();
  const ended = Promise.all(writers.map((writer) => writer.run()));
  for (let fault = 0; fault < faults; fault += 1) {
    await moreWritten(writers, 1 + random() * writesMax);
    await inject(fleet, random);
  }
  await moreWritten(writers, 1 + random() * writesMax);
  for (const writer of writers) writer.end();
  await ended;
  await fleet.end();
  return {
    acknowledged: sum(writers.map(({ acknowledged }) => acknowledged.length)),
    unknown: sum(writers.map(({ unknown }) => unknown.size)),
    refused: sum(writers.map((each) => each.refused)),
    problems: [...fleet.problems, ...(await storedProblems(url, byWorld))],
  };
}

function writersOf(world: string, number: number, seed: number, urls: Replicas): readonly Writer[] {
  return Array.from({ length: writersOfWorld }, (_, each) => {
    const [name, random] = [`writer${number}${each}`, randomFrom(seed + number * 10 + each)];
    return new Writer({ world, name, random }, urls);
  });
}

/** Forks of the default world, made by any replica. */
async function forksAt(urls: Replicas): Promise<readonly string[]> {
  const made: string[] = [];
  while (made.length < forks) made.push(await vi.waitFor(() => forkAt(urls()), patience));
  return made;
}

async function forkAt(urls: readonly string[]): Promise<string> {
  for (const url of urls) {
    const response = await fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST" });
    if (response.status === 201) return String(Object(await response.json()).id);
  }
  throw new Error("no replica serves the default world");
}

async function moreWritten(writers: readonly Writer[], count: number): Promise<void> {
  const written = () => sum(writers.map(({ acknowledged }) => acknowledged.length));
  const goal = written() + count;
  await vi.waitFor(() => {
    if (written() < goal) throw new Error(`${written()} of ${goal} writes are acknowledged`);
  }, patience);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
