import { objectOf, textOf } from "../../foundation/json/members.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import type { Call } from "./call.ts";

const secondMs = 1000;
const startDefaultMs = Date.parse("2026-01-01T00:00:00Z");

/**
 * The virtual clock of the world that plays the recording. It is frozen. Recorded requests to a control API advance it, and
 * so do responses that only elapsed time explains.
 */
export class Timeline {
  /** The place of the current call, from 0. */
  place = -1;
  /** Elapsed virtual time, in milliseconds. */
  #elapsedMs = 0;
  /** Virtual time at the last lookup, in milliseconds. */
  #lastLookupMs = 0;
  #startMs: number | undefined;
  #recordedStartMs: number | undefined;
  #latestMs = 0;
  #recordedMs = 0;
  readonly #clockAdvances = new Map<number, number>();

  note({ exchange, operation, status, response, body }: Call): void {
    this.place += 1;
    const startedMs = Date.parse(exchange.startedAt);
    if (!Number.isNaN(startedMs)) {
      this.#recordedStartMs ??= startedMs;
      this.#recordedMs = startedMs - this.#recordedStartMs;
    }
    if (operation.api !== "control" || status !== 200) return;
    if (operation.operationId === "advanceClock") this.#elapsedMs += durationMs(textOf(objectOf(body)["by"])) ?? 0;
    const nowMs = Date.parse(textOf(objectOf(response)["now"]));
    if (!Number.isNaN(nowMs)) this.#startMs ??= nowMs - this.#elapsedMs;
  }

  /** Notes a timestamp in a response: virtual time begins no earlier. */
  noteTimestamp(timestamp: string): void {
    const ms = Date.parse(timestamp);
    if (!Number.isNaN(ms)) this.#latestMs = Math.max(this.#latestMs, Math.ceil(ms / secondMs) * secondMs);
  }

  /** The start of virtual time: from a control API, else the start of the recording, else after the latest timestamp in it. */
  get startMs(): number {
    const recordedMs = this.#recordedStartMs ?? 0;
    if (this.#startMs !== undefined) return this.#startMs;
    if (recordedMs > 0) return Math.floor(recordedMs / secondMs) * secondMs;
    return this.#latestMs > 0 ? this.#latestMs : startDefaultMs;
  }

  /** Milliseconds to advance the clock before a call, by place of the call. */
  get clockAdvances(): ReadonlyMap<number, number> {
    return this.#clockAdvances;
  }

  /**
   * When a contract opened that the current call is the first to show, in milliseconds from the start. Advances the clock if
   * no time has passed since the last lookup.
   */
  openedMs(): number {
    if (this.#elapsedMs === this.#lastLookupMs) this.#advance();
    return this.#elapsedMs - secondMs;
  }

  /** Notes that the current call is a lookup. */
  noteLookup(): void {
    this.#lastLookupMs = this.#elapsedMs;
  }

  #advance(): void {
    if (this.#clockAdvances.has(this.place)) return;
    const recordedMs = Math.floor(this.#recordedMs / secondMs) * secondMs;
    const nextMs = Math.max(this.#elapsedMs + secondMs, recordedMs);
    this.#clockAdvances.set(this.place, nextMs - this.#elapsedMs);
    this.#elapsedMs = nextMs;
  }
}
