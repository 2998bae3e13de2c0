import { durationMs } from "../../foundation/text/duration.ts";
import { objectOf, textOf } from "./_json.ts";
import type { Call } from "./call.ts";

const secondMs = 1000;
const startDefaultMs = Date.parse("2026-01-01T00:00:00Z");

/**
 * The virtual clock of the world that plays the recording. It stands still, except where a recorded request to a control
 * API advances it, or where only time explains what a response shows: there it passes.
 */
export class Timeline {
  /** Which call is being noted, from 0. */
  place = -1;
  /** How much virtual time has passed, in milliseconds. */
  #elapsedMs = 0;
  /** How much had passed when a lookup was answered last. */
  #lookedMs = 0;
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

  /** Something that a response shows was there at that moment. */
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

  /** The moment, in milliseconds from the start, at which something opened that the call at hand is the first to show. */
  openedMs(): number {
    if (this.#elapsedMs === this.#lookedMs) this.#pass();
    return this.#elapsedMs - secondMs;
  }

  /** A lookup was answered now. */
  looked(): void {
    this.#lookedMs = this.#elapsedMs;
  }

  #pass(): void {
    if (this.#passages.has(this.place)) return;
    const recordedMs = Math.floor(this.#recordedMs / secondMs) * secondMs;
    const nextMs = Math.max(this.#elapsedMs + secondMs, recordedMs);
    this.#passages.set(this.place, nextMs - this.#elapsedMs);
    this.#elapsedMs = nextMs;
  }
}
