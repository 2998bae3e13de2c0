import { objectOf, textOf } from "../../foundation/json/members.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import type { RecordedCall } from "./recorded-call.ts";

const secondMs = 1000;
const startDefaultMs = Date.parse("2026-01-01T00:00:00Z");

/** The start of virtual time: as a control API shows it, else the start of the recording. */
export class StartOfClock {
  #advancedMs = 0;
  #shownMs: number | undefined;
  #recordedMs: number | undefined;

  note({ exchange, operation, status, response, body }: RecordedCall): void {
    this.#recordedMs ??= Date.parse(exchange.startedAt);
    if (operation.api !== "control" || status !== 200) return;
    if (operation.operationId === "advanceClock") this.#advancedMs += durationMs(textOf(objectOf(body)["by"])) ?? 0;
    const nowMs = Date.parse(textOf(objectOf(response)["now"]));
    if (!Number.isNaN(nowMs)) this.#shownMs ??= nowMs - this.#advancedMs;
  }

  get ms(): number {
    const recordedMs = this.#recordedMs ?? 0;
    return this.#shownMs ?? (recordedMs > 0 ? Math.floor(recordedMs / secondMs) * secondMs : startDefaultMs);
  }
}
