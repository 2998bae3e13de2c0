import { Worker } from "node:worker_threads";
import type { ExaminedBatch } from "../conformance/examined-batch.ts";
import type { Level } from "../conformance/judge.ts";
import type { ProfileNames } from "../spec/spec.ts";

/** What a thread judges by. */
export interface ThreadSettings {
  readonly profile: ProfileNames;
  readonly level: Level;
  readonly areNeighboursJudged: boolean;
}

/** The lines that begin in this part of an open file; threads share its descriptor. */
export interface Chunk {
  readonly descriptor: number;
  readonly at: number;
  readonly length: number;
}

/** The exchanges of a chunk, and the text behind the last one of the file where the chunk holds it. */
export interface ExaminedChunk {
  readonly batch: ExaminedBatch;
  readonly end: string | undefined;
}

/** A thread remembers little, and what it sends away lives for as long as a chunk takes. */
const youngMegabytes = 24;
/** A chunk each thread works at, and one that waits for it. */
const chunksPerThread = 2;

/** Threads that examine the exchanges of recordings: each for itself, while this thread sees to what follows from their order. */
export class ExaminingThreads {
  readonly #threads: readonly ExaminingThread[];

  constructor(count: number, settings: ThreadSettings) {
    this.#threads = Array.from({ length: count }, () => new ExaminingThread(settings));
  }

  /** What the chunks hold, in their order; undefined for one whose lines are not an entry each. Throws ThreadEnded. */
  async *examined(chunks: Iterable<Chunk>): AsyncGenerator<ExaminedChunk | undefined> {
    const asked: Promise<ExaminedChunk | undefined>[] = [];
    let turn = 0;
    for (const chunk of chunks) {
      const thread = this.#threads[turn % this.#threads.length];
      if (thread === undefined) return;
      asked.push(thread.examine(chunk));
      turn += 1;
      if (asked.length >= this.#threads.length * chunksPerThread) yield await asked.shift();
    }
    for (const answer of asked) yield await answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

/** A thread ended that should not, as where memory is short; what it was to judge can be judged again. */
export class ThreadEnded extends Error {}

/** The same file, from the sources and from the package. */
const threadFile = new URL(`./examining-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".cjs"}`, import.meta.url);

class ExaminingThread {
  readonly #worker: Worker;
  /** In the order in which they were asked for, which is the order of the answers. */
  readonly #asked: PromiseWithResolvers<ExaminedChunk | undefined>[] = [];
  #failure: ThreadEnded | undefined;

  constructor(settings: ThreadSettings) {
    this.#worker = new Worker(threadFile, {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    this.#worker.on("message", (answer: ExaminedChunk | undefined) => this.#asked.shift()?.resolve(answer));
    this.#worker.on("error", (cause) =>
      this.#fail(new ThreadEnded(`A thread that judges failed (${cause})`, { cause })),
    );
    this.#worker.on("exit", () => this.#fail(new ThreadEnded("A thread that judges ended before its work was done")));
  }

  examine(chunk: Chunk): Promise<ExaminedChunk | undefined> {
    const asked = Promise.withResolvers<ExaminedChunk | undefined>();
    // Whoever waits for it gets the failure when it is its turn.
    asked.promise.catch(() => undefined);
    this.#asked.push(asked);
    if (this.#failure === undefined) this.#worker.postMessage(chunk);
    else this.#fail(this.#failure);
    return asked.promise;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(failure: ThreadEnded): void {
    this.#failure ??= failure;
    for (const { reject } of this.#asked.splice(0)) reject(this.#failure);
  }
}
