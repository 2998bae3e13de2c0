import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { bodyLength } from "../../foundation/http/request.ts";
import { lengthOf } from "../../foundation/http/response.ts";
import type { JournalEntry } from "./journal-entry.ts";

export interface JournalLimits {
  readonly exchangesMax: number;
  readonly bytesMax: number;
  /** Told of each exchange that is dropped, with what there was too much of. */
  readonly onDropped?: (tooMuch: "exchanges" | "bytes") => void;
}

/** An exchange with its number, from 1 on, and what the owner of the journal keeps beside it. */
export interface JournalRecord<PointInTime> {
  readonly number: number;
  readonly entry: JournalEntry;
  readonly pointInTime: PointInTime;
}

/** The exchanges of one world, the newest kept; what was dropped is counted. */
export class Journal<PointInTime = undefined> {
  readonly #limits: JournalLimits;
  /** Those before `#head` are dropped already; they are let go in one sweep, since shifting a long list is slow. */
  #records: MeasuredRecord<PointInTime>[] = [];
  #head = 0;
  #view: readonly JournalEntry[] | undefined;
  #bytes = 0;
  #dropped = 0;
  #epoch = 0;

  constructor(limits: JournalLimits) {
    this.#limits = limits;
  }

  get exchanges(): readonly JournalEntry[] {
    this.#view ??= this.#records.slice(this.#head).map(({ entry }) => entry);
    return this.#view;
  }

  /** What the exchanges that are kept take, near enough for a bound. */
  get bytes(): number {
    return this.#bytes;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Grows whenever the journal is emptied; then numbers begin anew. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The number of the newest exchange; 0 before the first. */
  get last(): number {
    return this.#dropped + this.#records.length - this.#head;
  }

  /** The exchanges with a higher number that are still there, at most so many. */
  after(number: number, max: number): readonly JournalRecord<PointInTime>[] {
    const from = this.#head + Math.max(0, number - this.#dropped);
    return this.#records.slice(from, from + max);
  }

  /** The exchange of this number; undefined where there never was one, or it is gone. */
  at(number: number): JournalRecord<PointInTime> | undefined {
    const found = this.after(number - 1, 1)[0];
    return found?.number === number ? found : undefined;
  }

  add(entry: JournalEntry, pointInTime: PointInTime): void {
    const bytes = bytesOf(entry);
    this.#records.push({ number: this.last + 1, entry, pointInTime, bytes });
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

  clear(): void {
    this.#records = [];
    this.#head = 0;
    this.#view = undefined;
    this.#bytes = 0;
    this.#dropped = 0;
    this.#epoch += 1;
  }

  #dropOldest(): void {
    const oldest = this.#records[this.#head];
    if (oldest === undefined) return;
    this.#bytes -= oldest.bytes;
    this.#dropped += 1;
    this.#head += 1;
    if (this.#head * 2 > this.#records.length) {
      this.#records = this.#records.slice(this.#head);
      this.#head = 0;
    }
  }
}

interface MeasuredRecord<PointInTime> extends JournalRecord<PointInTime> {
  readonly bytes: number;
}

/** What an exchange takes, near enough for a bound. */
function bytesOf({ request, response }: Exchange): number {
  const sent = request.target.length + bodyLength(request) + headerBytes(request.headers);
  if (response.type === "broken") return sent + (response.partial?.body.length ?? 0);
  return sent + lengthOf(response) + headerBytes(response.headers);
}

function headerBytes(headers: HeaderList): number {
  let sum = 0;
  for (const [name, value] of headers) sum += name.length + value.length;
  return sum;
}
