import type { Exchange } from "../http/exchange.ts";
import type { HeaderList } from "../http/header.ts";
import type { JournalEntry } from "./journal-entry.ts";

export interface JournalLimits {
  readonly exchangesMax: number;
  readonly bytesMax: number;
}

export const journalLimitsDefault: JournalLimits = { exchangesMax: 1000, bytesMax: 8 * 1024 * 1024 };

/** The exchanges of one world, the newest kept; what was dropped is counted. */
export class Journal {
  readonly #limits: JournalLimits;
  #exchanges: JournalEntry[] = [];
  #bytes = 0;
  #dropped = 0;

  constructor(limits: JournalLimits) {
    this.#limits = limits;
  }

  get exchanges(): readonly JournalEntry[] {
    return this.#exchanges;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Whether nothing was added since it began. */
  get isUntouched(): boolean {
    return this.#exchanges.length === 0 && this.#dropped === 0;
  }

  add(exchange: JournalEntry): void {
    this.#exchanges.push(exchange);
    this.#bytes += bytesOf(exchange);
    while (this.#exchanges.length > this.#limits.exchangesMax || this.#bytes > this.#limits.bytesMax)
      this.#dropOldest();
  }

  clear(): void {
    this.#exchanges = [];
    this.#bytes = 0;
    this.#dropped = 0;
  }

  #dropOldest(): void {
    const oldest = this.#exchanges.shift();
    if (oldest === undefined) return;
    this.#bytes -= bytesOf(oldest);
    this.#dropped += 1;
  }
}

function bytesOf({ request, answer }: Exchange): number {
  const sent = request.target.length + request.body.length + headerBytes(request.headers);
  return answer.type === "response" ? sent + answer.body.length + headerBytes(answer.headers) : sent;
}

function headerBytes(headers: HeaderList): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}
