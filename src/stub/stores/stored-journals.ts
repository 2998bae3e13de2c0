import type { JournalEntry } from "../journal/journal-entry.ts";
import { restoredEntry } from "../journal/stored-entry.ts";
import type { ExchangeStore, Retention, StoredExchange } from "./exchange-store.ts";

export interface StoredJournalsOptions {
  readonly exchanges: ExchangeStore;
  readonly retention: Retention;
  readonly wait: (durationMs: number) => Promise<void>;
  readonly onFault: (fault: unknown) => void;
}

/** The exchanges that a journal had, with the number of the first. */
export interface StoredJournal {
  readonly first: number;
  readonly entries: readonly JournalEntry[];
}

/** Exchanges are written in groups after this time. */
const pauseMs = 500;
/** Exchanges in one statement. */
const groupMax = 200;
/** Exchanges that wait for the store. More are dropped and counted, the oldest first. */
const waitingMax = 10_000;
/** Groups between two removals of old exchanges. */
const groupsBetweenTrims = 100;

/** Journals in a store. No response waits for them: a crash loses the exchanges of the last half second. */
export class StoredJournals {
  readonly #options: StoredJournalsOptions;
  #waiting: StoredExchange[] = [];
  #writing: Promise<void> | undefined;
  #groups = 0;
  #dropped = 0;

  constructor(options: StoredJournalsOptions) {
    this.#options = options;
  }

  /** Exchanges that were dropped because the store did not take them in time. */
  get dropped(): number {
    return this.#dropped;
  }

  add(exchange: StoredExchange): void {
    if (this.#waiting.length >= waitingMax) {
      this.#waiting.shift();
      this.#dropped += 1;
    }
    this.#waiting.push(exchange);
    this.#writing ??= this.#options.wait(pauseMs).then(() => this.#write());
  }

  /** The newest exchanges of a journal. */
  async load(world: string, max: number): Promise<StoredJournal> {
    const stored = await this.#options.exchanges.newest(world, max);
    const entries = stored.flatMap(({ exchange }) => restoredEntry(exchange) ?? []);
    return { first: (stored.at(-1)?.number ?? 0) - entries.length + 1, entries };
  }

  /** Removes the exchanges of a journal, after a reset. */
  clear(world: string): void {
    this.#waiting = this.#waiting.filter((each) => each.world !== world);
    this.#options.exchanges.clear(world).catch(this.#options.onFault);
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    await this.#write();
  }

  async #write(): Promise<void> {
    const { exchanges, retention, onFault } = this.#options;
    try {
      while (this.#waiting.length > 0) {
        await exchanges.add(this.#waiting.slice(0, groupMax));
        this.#waiting = this.#waiting.slice(groupMax);
        if (this.#groups % groupsBetweenTrims === 0) await exchanges.trim(retention);
        this.#groups += 1;
      }
    } catch (fault) {
      onFault(fault);
    }
    this.#writing = undefined;
  }
}
