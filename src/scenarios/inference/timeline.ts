import { durationMs } from "../../foundation/text/duration.ts";
import { objectOf, textOf } from "./_json.ts";
import type { Call } from "./call.ts";

const secondMs = 1000;
const startDefaultMs = Date.parse("2026-01-01T00:00:00Z");

/**
 * The virtual clock of the world that plays the recording. It is frozen. Recorded requests to a control API advance it, and
 * so do responses that only elapsed time explains.
 */
export class Timeline {
  /** Which call is being noted, from 0. */
  place = -1;
  /** How much virtual time has passed, in milliseconds. */
  #elapsedMs = 0;
  /** Virtual time at the last lookup, in milliseconds. */
  #lastLookupMs = 0;
  #startMs: number | undefined;
  #recordedStartMs: number | undefined;
  #latestMs = 0;
  #recordedMs = 0;
  readonly #passages = new Map<number, number>();

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

  /** Where virtual time begins: as a control API told it, else when the recording began, else after what it shows. */
  get startMs(): number {
    const recordedMs = this.#recordedStartMs ?? 0;
    if (this.#startMs !== undefined) return this.#startMs;
    if (recordedMs > 0) return Math.floor(recordedMs / secondMs) * secondMs;
    return this.#latestMs > 0 ? this.#latestMs : startDefaultMs;
  }

  /** Before which calls the clock has to be advanced, and by how many milliseconds. */
  get passages(): ReadonlyMap<number, number> {
    return this.#passages;
  }

  /** When a contract opened that the current call shows first, in milliseconds from the start. Lets time pass if none has passed since the last lookup. */
  openedMs(): number {
    if (this.#elapsedMs === this.#lastLookupMs) this.#pass();
    return this.#elapsedMs - secondMs;
  }

  /** Notes that the current call is a lookup. */
  noteLookup(): void {
    this.#lastLookupMs = this.#elapsedMs;
  }

  #pass(): void {
    if (this.#passages.has(this.place)) return;
    const recordedMs = Math.floor(this.#recordedMs / secondMs) * secondMs;
    const nextMs = Math.max(this.#elapsedMs + secondMs, recordedMs);
    this.#passages.set(this.place, nextMs - this.#elapsedMs);
    this.#elapsedMs = nextMs;
  }
}
