import { Worker } from "node:worker_threads";
import type { Requested, ThreadResponse } from "./_thread.ts";

/** A simulation of many seeds. */
export interface RunOptions {
  readonly requests: number;
  readonly firstSeed: number;
  readonly threads: number;
  /** Called after each walk. */
  readonly onProgress: (progress: Progress) => void;
}

interface Progress {
  readonly requests: number;
  readonly walks: number;
}

export interface RunOutcome extends Progress {
  /** The smallest seed whose walk broke an invariant. */
  readonly brokenSeed: number | undefined;
  /** Bytes in use after garbage collection when a tenth was done and at the end: of the thread that grew most. */
  readonly heap: { readonly early: number; readonly late: number };
}

/** Walks seed after seed in threads, until the number of requests is reached or a walk breaks an invariant. A seed gives the same walk in every thread. */
export async function runSeeds(options: RunOptions): Promise<RunOutcome> {
  const threads = Array.from({ length: options.threads }, () => new Thread());
  const run = new Run(options);
  try {
    const heaps = await Promise.all(threads.map((thread) => run.drive(thread)));
    const [most = { early: 0, late: 0 }] = heaps.sort(
      (left, right) => right.late - right.early - (left.late - left.early),
    );
    return { requests: run.requests, walks: run.walks, brokenSeed: run.brokenSeed, heap: most };
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

class Run {
  requests = 0;
  walks = 0;
  brokenSeed: number | undefined;
  readonly #options: RunOptions;
  #nextSeed: number;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#nextSeed = options.firstSeed;
  }

  /** Sends seeds to a thread, one after the other. */
  async drive(thread: Thread): Promise<RunOutcome["heap"]> {
    const { requests: wanted, onProgress } = this.#options;
    let early: number | undefined;
    while (this.requests < wanted && this.brokenSeed === undefined) {
      const seed = this.#nextSeed;
      this.#nextSeed += 1;
      const { requests, broken } = await thread.walk(seed);
      this.requests += requests;
      this.walks += 1;
      if (broken.length > 0) this.brokenSeed = Math.min(seed, this.brokenSeed ?? seed);
      if (early === undefined && this.requests >= wanted / 10) early = await thread.heapBytes();
      onProgress({ requests: this.requests, walks: this.walks });
    }
    const late = await thread.heapBytes();
    return { early: early ?? late, late };
  }
}

/** One thread, with one message at a time. */
class Thread {
  readonly #worker = new Worker(new URL("_thread.ts", import.meta.url));

  async walk(seed: number): Promise<Extract<ThreadResponse, { readonly type: "walked" }>> {
    const response = await this.#request({ type: "walk", seed });
    if (response.type !== "walked") throw new Error("invariant: a thread responds to its request");
    return response;
  }

  async heapBytes(): Promise<number> {
    const response = await this.#request({ type: "heap" });
    return response.type === "heap" ? response.bytes : 0;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #request(requested: Requested): Promise<ThreadResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<ThreadResponse>();
    const ended = (code: number) => reject(new Error(`a thread ended with ${code} at ${JSON.stringify(requested)}`));
    this.#worker.once("error", reject);
    this.#worker.once("exit", ended);
    this.#worker.once("message", (response: ThreadResponse) => {
      this.#worker.off("error", reject);
      this.#worker.off("exit", ended);
      resolve(response);
    });
    this.#worker.postMessage(requested);
    return promise;
  }
}
