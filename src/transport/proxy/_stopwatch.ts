import { timestampOf } from "../../foundation/text/timestamp.ts";
import type { Timings } from "./forwarded-exchange.ts";

/** Measures an exchange from the request head to its end. */
export class Stopwatch {
  readonly #nowMs: () => number;
  readonly #startMs: number;
  #connectedMs: number | undefined;
  #sentMs: number | undefined;
  #respondedMs: number | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  connected(): void {
    this.#connectedMs = this.#nowMs();
  }

  sent(): void {
    this.#sentMs = this.#nowMs();
  }

  responded(): void {
    this.#respondedMs = this.#nowMs();
  }

  /** Computes the timings. A response may start before the request ends; the later phase then has duration 0. */
  stop(): { readonly startedAt: string; readonly durationMs: number; readonly timings: Timings } {
    const endMs = this.#nowMs();
    const readyMs = this.#connectedMs ?? this.#startMs;
    const respondedMs = this.#respondedMs ?? endMs;
    const sentMs = Math.min(this.#sentMs ?? respondedMs, respondedMs);
    return {
      startedAt: timestampOf(this.#startMs),
      durationMs: endMs - this.#startMs,
      timings: {
        connect: this.#connectedMs === undefined ? undefined : readyMs - this.#startMs,
        send: Math.max(sentMs - readyMs, 0),
        wait: respondedMs - Math.max(sentMs, readyMs),
        receive: endMs - respondedMs,
      },
    };
  }
}
