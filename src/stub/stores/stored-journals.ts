import type { StoredJournal } from "../journal/journal.ts";
import { restoredEntry } from "../journal/stored-entry.ts";
import type { ExchangeStore, Retention, StoredExchange } from "./exchange-store.ts";

interface StoredJournalsOptions {
  readonly exchanges: Pick<ExchangeStore, "add" | "newest" | "clear" | "trim">;
  readonly retention: Retention;
  readonly wait: (durationMs: number) => Promise<void>;
  readonly onFault: (fault: unknown) => void;
}

const emptyJournal: StoredJournal = { records: [], last: 0 };

/** Exchanges are written in groups after this time. */
const pauseMs = 500;
/** Exchanges in one statement. */
const groupMax = 200;
/** Characters in one statement, unless one exchange has more. */
const groupSizeMax = 4_000_000;
/** Exchanges that wait for the store. More are dropped and counted, the oldest first. */
export const waitingMax = 10_000;
/** Characters of the exchanges that wait for the store. More are dropped and counted, the oldest first. */
export const waitingSizeMax = 32_000_000;
/** Groups between two removals of old exchanges. */
const groupsBetweenTrims = 100;
/** Renewals of the lease between two removals of old exchanges, in a process without traffic. */
const renewalsBetweenTrims = 60;

/**
 * Journals in a store. No response to a request waits for them: a crash loses the exchanges of the last half second. One write
 * runs at a time. A world is given back and taken when what waits is written.
 */
export class StoredJournals {
  readonly #options: StoredJournalsOptions;
  /** Exchanges without those that are being written. */
  #waiting: StoredExchange[] = [];
  #waitingSize = 0;
  /** Journals whose stored exchanges are removed before the next exchange is written. */
  readonly #cleared = new Set<string>();
  /** Journals that could not be loaded. The numbers of their exchanges are in use in the store, so new ones are not stored. */
  readonly #unread = new Set<string>();
  #isPlanned = false;
  #lastWrite: Promise<void> = Promise.resolve();
  #groups = 0;
  #renewals = 0;
  #dropped = 0;

  constructor(options: StoredJournalsOptions) {
    this.#options = options;
  }

  /** Exchanges that were dropped because the store did not take them in time, or could not be read. */
  get dropped(): number {
    return this.#dropped;
  }

  add(exchange: StoredExchange): void {
    if (this.#unread.has(exchange.world)) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(exchange);
    this.#waitingSize += exchange.exchange.length;
    this.#dropExceeding();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    void this.#options.wait(pauseMs).then(() => {
      this.#isPlanned = false;
      return this.flush();
    });
  }

  /** Removes old exchanges now and then; called at each renewal of the lease. */
  async trimSometimes(): Promise<void> {
    this.#renewals += 1;
    if (this.#renewals % renewalsBetweenTrims === 1) await this.#options.exchanges.trim(this.#options.retention);
  }

  /** The newest exchanges of a journal. A fault of the store is reported, and gives an empty journal. */
  async load(world: string, max: number): Promise<StoredJournal> {
    await this.flush();
    try {
      const stored = await this.#options.exchanges.newest(world, max, this.#options.retention.ageMs);
      this.#unread.delete(world);
      const records = stored.flatMap(({ number, exchange }) => {
        const entry = restoredEntry(exchange);
        return entry === undefined ? [] : [{ number, entry }];
      });
      return { records, last: stored.at(-1)?.number ?? 0 };
    } catch (fault) {
      this.#unread.add(world);
      this.#options.onFault(fault);
      return emptyJournal;
    }
  }

  /** Removes the exchanges of a journal, after a reset. */
  clear(world: string): void {
    this.#unread.delete(world);
    this.#cleared.add(world);
    this.#setWaiting(this.#waiting.filter((each) => each.world !== world));
    void this.flush();
  }

  /** Writes what waits now, after a running write. A fault of the store is reported; the exchanges then wait for the next write. */
  flush(): Promise<void> {
    this.#lastWrite = this.#lastWrite.then(() => this.#write());
    return this.#lastWrite;
  }

  /** Exchanges that are added during the write have a write of their own, so that each write ends. */
  async #write(): Promise<void> {
    let left = this.#waiting.length;
    try {
      await this.#writeClears();
      while (left > 0 && this.#waiting.length > 0) {
        left -= await this.#writeGroup();
        await this.#writeClears();
      }
    } catch (fault) {
      this.#options.onFault(fault);
    }
  }

  /** A reset during a clear removes nothing more: no exchange is written in the meantime. */
  async #writeClears(): Promise<void> {
    for (const world of this.#cleared) {
      await this.#options.exchanges.clear(world);
      this.#cleared.delete(world);
    }
  }

  /** The number of exchanges that were written. */
  async #writeGroup(): Promise<number> {
    const { exchanges, retention } = this.#options;
    const group = this.#nextGroup();
    this.#setWaiting(this.#waiting.slice(group.length));
    try {
      await exchanges.add(group);
    } catch (fault) {
      const kept = group.filter(({ world }) => !this.#cleared.has(world));
      this.#setWaiting([...kept, ...this.#waiting]);
      throw fault;
    }
    this.#groups += 1;
    if (this.#groups % groupsBetweenTrims === 1) await exchanges.trim(retention);
    return group.length;
  }

  #nextGroup(): readonly StoredExchange[] {
    let size = 0;
    const end = this.#waiting.findIndex(({ exchange }, index) => {
      size += exchange.length;
      return index === groupMax || (index > 0 && size > groupSizeMax);
    });
    return end < 0 ? this.#waiting : this.#waiting.slice(0, end);
  }

  #setWaiting(waiting: StoredExchange[]): void {
    this.#waiting = waiting;
    this.#waitingSize = waiting.reduce((sum, { exchange }) => sum + exchange.length, 0);
    this.#dropExceeding();
  }

  #dropExceeding(): void {
    while (this.#waiting.length > waitingMax || this.#waitingSize > waitingSizeMax) {
      this.#waitingSize -= this.#waiting.shift()?.exchange.length ?? 0;
      this.#dropped += 1;
    }
  }
}
