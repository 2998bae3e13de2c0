import type { KeeperOptions } from "./keeper-options.ts";
import type { Ownership, StoreBatch } from "./world-store.ts";

/**
 * What became of a write: in the store, refused because another replica owns the world, not known because the store does not
 * respond, or not possible because the world has no form that a store keeps.
 */
export type Kept = "stored" | "lost" | "unknown" | "unwritable";

/** The outcome of a group of writes, for each world of it. */
type KeptWorlds = (world: Ownership) => Kept;

/** A batch without the worlds that cannot be written, and those: they do not concern the others. */
interface TakenBatch {
  readonly batch: StoreBatch;
  readonly unwritable: readonly Ownership[];
}

interface GroupCommitOptions extends Pick<KeeperOptions, "store" | "replica" | "nowMs" | "later" | "wait" | "onFault"> {
  /** Takes what is to be written now. */
  readonly take: () => TakenBatch;
  /** How long a failed write is repeated. */
  readonly patienceMs: number;
  /** Called after each transaction with its duration and the number of its changes. */
  readonly onWritten: (durationMs: number, changes: number) => void;
}

const firstPauseMs = 20;
const pauseMsMax = 500;

/** Writes in groups: one transaction is under way at a time, and all that is to be written meanwhile waits for the next one. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #isWriting = false;
  #next: PromiseWithResolvers<KeptWorlds> | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** The outcome of the next transaction, which takes everything that is to be written. */
  commit(): Promise<KeptWorlds> {
    if (this.#next === undefined) {
      this.#next = Promise.withResolvers();
      if (!this.#isWriting) this.#options.later(() => void this.#writeAll());
    }
    return this.#next.promise;
  }

  async #writeAll(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (let group = this.#next; group !== undefined; group = this.#next) {
      this.#next = undefined;
      group.resolve(await this.#writeGroup());
    }
    this.#isWriting = false;
  }

  async #writeGroup(): Promise<KeptWorlds> {
    try {
      const { batch, unwritable } = this.#options.take();
      const kept = await this.#write(batch);
      return (world) => (unwritable.some((each) => isSame(each, world)) ? "unwritable" : kept(world));
    } catch (fault) {
      this.#options.onFault(fault);
      return () => "unknown";
    }
  }

  async #write(batch: StoreBatch): Promise<KeptWorlds> {
    const { store, replica, patienceMs, nowMs, wait, onFault, onWritten } = this.#options;
    if (isEmpty(batch)) return () => "stored";
    const startedMs = nowMs();
    // An attempt that failed may have had its effect before another replica took the world.
    let refusal: Kept = "lost";
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
      try {
        const refused = await store.write(batch, replica);
        onWritten(nowMs() - startedMs, batch.appended.length);
        return (world) => (refused.some((each) => isSame(each, world)) ? refusal : "stored");
      } catch (fault) {
        refusal = "unknown";
        onFault(fault);
        if (nowMs() - startedMs + pauseMs > patienceMs) return unknownIn(batch);
      }
      await wait(pauseMs);
    }
  }
}

function isSame(left: Ownership, right: Ownership): boolean {
  return left.id === right.id && left.fence === right.fence;
}

function isEmpty({ created, appended, removed }: StoreBatch): boolean {
  return created.length + appended.length + removed.length === 0;
}

/** Nothing is known about the worlds of a batch whose write failed. */
function unknownIn({ created, appended, removed }: StoreBatch): KeptWorlds {
  const ids = new Set([...created, ...appended, ...removed].map(({ id }) => id));
  return ({ id }) => (ids.has(id) ? "unknown" : "stored");
}
