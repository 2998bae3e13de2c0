import { once } from "node:events";
import { vi } from "vitest";
import { randomFrom } from "../_random.ts";
import { type RunningProcess, servingProcess } from "../acceptance/_process.ts";
import { storedProblems } from "./_stored-problems.ts";
import { type Replicas, Writer } from "./_writer.ts";

export interface Killing {
  readonly url: string;
  readonly kills: number;
  /** Processes that serve at a time. */
  readonly replicas: number;
  readonly seed: number;
}

/** What replicas left that were killed under load. */
export interface Killed {
  readonly acknowledged: number;
  /** Requests without a response. */
  readonly unknown: number;
  /** Requests that were refused with 503 and sent again. */
  readonly refused: number;
  /** Acknowledged changes that are lost, changes that were applied twice, and other responses than expected. */
  readonly problems: readonly string[];
}

const forks = 2;
const writersOfWorld = 2;
/** Most writes between two kills. */
const writesMax = 80;
const patience = { timeout: 120_000, interval: 2 };

/** Kills replicas at random times while clients write, starts others, and compares the worlds with what was acknowledged. */
export async function killed({ url, kills, replicas, seed }: Killing): Promise<Killed> {
  const random = randomFrom(seed);
  const start = () => servingProcess(["--store", url, "--lease", "1"]);
  let running: readonly RunningProcess[] = await Promise.all(Array.from({ length: replicas }, start));
  const urls = () => running.map((each) => each.url);
  const worlds = ["default", ...(await forksAt(urls))];
  const byWorld = new Map(worlds.map((world, number) => [world, writersOf(world, number, seed, urls)]));
  const writers = [...byWorld.values()].flat();
  const ended = Promise.all(writers.map((writer) => writer.run()));
  for (let kill = 0; kill < kills; kill += 1) {
    await moreWritten(writers, 1 + random() * writesMax);
    const victim = running[Math.floor(random() * running.length)];
    if (victim === undefined) throw new Error("no replica is left");
    running = running.filter((each) => each !== victim);
    await kill9(victim);
    running = [...running, await start()];
  }
  await moreWritten(writers, 1 + random() * writesMax);
  for (const writer of writers) writer.end();
  await ended;
  await Promise.all(running.map(kill9));
  return {
    acknowledged: sum(writers.map(({ acknowledged }) => acknowledged.length)),
    unknown: sum(writers.map(({ unknown }) => unknown.size)),
    refused: sum(writers.map((each) => each.refused)),
    problems: await storedProblems(url, byWorld),
  };
}

function writersOf(world: string, number: number, seed: number, urls: Replicas): readonly Writer[] {
  return Array.from({ length: writersOfWorld }, (_, each) => {
    const [name, random] = [`writer${number}${each}`, randomFrom(seed + number * 10 + each)];
    return new Writer({ world, name, random }, urls);
  });
}

async function kill9({ child }: RunningProcess): Promise<void> {
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
}

/** Forks of the default world, made by any replica. */
async function forksAt(urls: () => readonly string[]): Promise<readonly string[]> {
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
