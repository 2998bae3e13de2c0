import { once } from "node:events";
import { vi } from "vitest";
import { afterFile } from "../_after-file.ts";
import { randomFrom } from "../_random.ts";
import { type RunningProcess, servingProcess } from "../acceptance/_process.ts";
import { startRouting } from "./_routing.ts";
import { storedProblems } from "./_stored-problems.ts";
import { Writer } from "./_writer.ts";

export interface RollingRestarts {
  readonly url: string;
  readonly worlds: number;
  /** How often each replica is stopped with SIGTERM and started again. */
  readonly rounds: number;
  /** Writes between two restarts. */
  readonly writes: number;
  readonly seed: number;
}

/** What clients have seen of rolling restarts. */
export interface Restarted {
  readonly acknowledged: number;
  /** Requests that were refused with 503 and succeeded when they were sent again. */
  readonly refused: number;
  /** Requests that ended in another way: without a response, or with one that does not say whether they were executed. */
  readonly unknown: readonly string[];
  readonly problems: readonly string[];
}

const replicaCount = 2;
/** Clients that write at the same time. */
const clients = 8;
const patience = { timeout: 300_000, interval: 10 };

/**
 * Restarts two replicas behind a proxy, one after the other, while clients write to many worlds. The proxy sends a replica no more
 * requests before it is stopped, as those of Kubernetes do.
 */
export async function restarted(given: RollingRestarts): Promise<Restarted> {
  const { rounds, writes, seed } = given;
  const start = () => servingProcess(["--store", given.url]);
  const replicas: (RunningProcess | undefined)[] = await Promise.all(Array.from({ length: replicaCount }, start));
  const proxy = await startRouting(() => replicas.map((each) => each?.url));
  afterFile(() => proxy.close());
  const writers = await writersOf(proxy.url, given);
  const load = loadOn([...writers.values()], randomFrom(seed));
  for (let restart = 0; restart < rounds * replicaCount; restart += 1) {
    await load.written(writes);
    const place = restart % replicaCount;
    const stopped = replicas[place];
    replicas[place] = undefined;
    if (stopped !== undefined) await proxy.drained(stopped.url);
    await terminated(stopped);
    replicas[place] = await start();
  }
  await load.written(writes);
  await load.end();
  await Promise.all(replicas.map(terminated));
  const all = [...writers.values()];
  return {
    acknowledged: writtenBy(all),
    refused: all.reduce((total, each) => total + each.refused, 0),
    unknown: all.flatMap(({ unknown }) => [...unknown].map(([name, reason]) => `${name}: ${reason}`)),
    problems: await storedProblems(given.url, new Map([...writers].map(([world, writer]) => [world, [writer]]))),
  };
}

/** A writer for each world, all forks of the default one. */
async function writersOf(proxy: string, { worlds, seed }: RollingRestarts): Promise<ReadonlyMap<string, Writer>> {
  const writers = new Map<string, Writer>();
  while (writers.size < worlds) {
    const world = await vi.waitFor(() => forkAt(proxy), patience);
    const number = writers.size;
    writers.set(
      world,
      new Writer({ world, name: `writer${number}`, random: randomFrom(seed + number) }, () => [proxy]),
    );
  }
  return writers;
}

async function forkAt(url: string): Promise<string> {
  const response = await fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST" });
  if (response.status !== 201) throw new Error(`a fork is refused with ${response.status}`);
  return String(Object(await response.json()).id);
}

interface Load {
  /** Resolves when so many more writes are acknowledged. */
  written(count: number): Promise<void>;
  end(): Promise<void>;
}

/** Clients that write to one world after the other. No world has two of them at the same time. */
function loadOn(writers: readonly Writer[], random: () => number): Load {
  const idle = [...writers];
  let isOver = false;
  const runs = Array.from({ length: Math.min(clients, writers.length) }, async () => {
    while (!isOver) {
      const [writer] = idle.splice(Math.floor(random() * idle.length), 1);
      if (writer === undefined) return;
      await writer.step();
      idle.push(writer);
    }
  });
  return {
    written: async (count) => {
      const goal = writtenBy(writers) + count;
      await vi.waitFor(() => {
        if (writtenBy(writers) < goal) throw new Error(`${writtenBy(writers)} of ${goal} writes are acknowledged`);
      }, patience);
    },
    end: async () => {
      isOver = true;
      await Promise.all(runs);
    },
  };
}

function writtenBy(writers: readonly Writer[]): number {
  return writers.reduce((total, { acknowledged }) => total + acknowledged.length, 0);
}

async function terminated(replica: RunningProcess | undefined): Promise<void> {
  if (replica === undefined) return;
  const ended = once(replica.child, "close");
  replica.child.kill("SIGTERM");
  await ended;
}
