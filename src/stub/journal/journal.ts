import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { JournalEntry } from "./journal-entry.ts";

export interface JournalLimits {
  readonly exchangesMax: number;
  readonly bytesMax: number;
  /** Called for each dropped exchange with the limit that was exceeded. */
  readonly onDropped?: (exceeded: "exchanges" | "bytes") => void;
}

/** An exchange with its number, from 1, and the context that the owner of the journal attached to it. */
export interface JournalRecord<Context> {
  readonly number: number;
  readonly entry: JournalEntry;
  readonly context: Context;
}

/** The kept exchanges of a stored journal, by number, and the number of its newest exchange. Numbers may be missing. */
export interface StoredJournal {
  readonly records: readonly Pick<JournalRecord<unknown>, "number" | "entry">[];
  readonly last: number;
}

/** Share of dropped exchanges in the list, which keep their memory. Removing them copies the list. */
const droppedShareMax: number = 1 / 16;

/** The newest exchanges of one world. Dropped exchanges are counted. */
export class Journal<Context = undefined> {
  readonly #limits: JournalLimits;
  /** By number. Records before `#head` are dropped. They are removed in batches, since shifting a long list is slow. */
  #records: MeasuredRecord<Context>[] = [];
  #head = 0;
  #view: readonly JournalEntry[] | undefined;
  #bytes = 0;
  #last = 0;
  #epoch = 0;
  #restored = 0;

  constructor(limits: JournalLimits) {
    this.#limits = limits;
  }

  get exchanges(): readonly JournalEntry[] {
    this.#view ??= this.#records.slice(this.#head).map(({ entry }) => entry);
    return this.#view;
  }

  /** Approximate size of the kept exchanges. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of exchanges that are not kept, with those that a store lost. */
  get dropped(): number {
    return this.#last - (this.#records.length - this.#head);
  }

  /** Increases each time the journal is cleared; numbers then restart at 1. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The number of the oldest kept exchange; without one, that of the next exchange. */
  get first(): number {
    return this.#records[this.#head]?.number ?? this.#last + 1;
  }

  /** The number of the newest exchange; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Kept exchanges with a number above `number`, at most `max`. */
  after(number: number, max: number): readonly JournalRecord<Context>[] {
    const from = this.#indexAfter(number);
    return this.#records.slice(from, from + max);
  }

  /** The exchange with this number; undefined if it was dropped or never existed. */
  at(number: number): JournalRecord<Context> | undefined {
    const found = this.after(number - 1, 1)[0];
    return found?.number === number ? found : undefined;
  }

  add(entry: JournalEntry, context: Context, number: number = this.#last + 1): void {
    const bytes = bytesOf(entry);
    this.#records.push({ number, entry, context, bytes });
    this.#last = number;
    this.#view = undefined;
    this.#bytes += bytes;
    const { exchangesMax, bytesMax, onDropped } = this.#limits;
    for (;;) {
      const areTooMany = this.#records.length - this.#head > exchangesMax;
      if (!areTooMany && this.#bytes <= bytesMax) return;
      this.#dropOldest();
      onDropped?.(areTooMany ? "exchanges" : "bytes");
    }
  }

  /** Continues a stored journal: the exchanges have the numbers that they had. The journal must be empty. */
  restore({ records, last }: StoredJournal, context: Context): void {
    for (const { number, entry } of records) this.add(entry, context, number);
    this.#last = last;
    this.#restored = last;
  }

  /** The number of the newest exchange that another process had stored; 0 without one. */
  get restored(): number {
    return this.#restored;
  }

  clear(): void {
    this.#records = [];
    this.#head = 0;
    this.#view = undefined;
    this.#bytes = 0;
    this.#last = 0;
    this.#restored = 0;
    this.#epoch += 1;
  }

  /** The index of the first record with a number above `number`. Numbers are consecutive, but for exchanges that a store lost. */
  #indexAfter(number: number): number {
    let [low, high] = [this.#head, this.#records.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle]?.number ?? 0) > number) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #dropOldest(): void {
    const oldest = this.#records[this.#head];
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#head += 1;
    if (this.#head > this.#records.length * droppedShareMax) {
      this.#records = this.#records.slice(this.#head);
      this.#head = 0;
    }
  }
}

interface MeasuredRecord<Context> extends JournalRecord<Context> {
  readonly bytes: number;
}

/** Approximate size of an exchange. */
function bytesOf({ request, response }: Exchange): number {
  const sent = request.target.length + request.body.storedLength + headerBytes(request.headers);
  if (response.type === "broken") return sent + (response.partial?.body.storedLength ?? 0);
  return sent + response.body.storedLength + headerBytes(response.headers);
}

function headerBytes(headers: HeaderList): number {
  let sum = 0;
  for (const [name, value] of headers) sum += name.length + value.length;
  return sum;
}
