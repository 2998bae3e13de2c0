import type { OperationId } from "../../foundation/spec/generated/names.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";

/** Upper ends of the classes of durations, in milliseconds. Longer ones are in a last class. */
export const durationClassesMs: readonly number[] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

/** Counts of the requests of one operation. */
export interface OperationCounts {
  /** Requests by the status of their response; 0 for a response that a network fault cut off. */
  readonly statuses: Map<number, number>;
  /** Requests by the class of their duration, each in one class. */
  readonly durations: number[];
  durationMs: number;
}

/** What a hosting has done since it was created. Its size depends on the spec, not on the traffic. */
export class HostingCounts {
  /** Worlds besides the default one: forks and imported worlds. */
  created = 0;
  /** Requests by operation; those without one are under undefined. */
  readonly operations: Map<OperationId | undefined, OperationCounts> = new Map();

  /** Counts an exchange. It runs for each request. */
  add({ operationId, response, durationMs }: Pick<JournalEntry, "operationId" | "response" | "durationMs">): void {
    const counts = this.operations.get(operationId) ?? this.#begin(operationId);
    const status = response.type === "response" ? response.status : 0;
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    let index = 0;
    while (durationMs > (durationClassesMs[index] ?? Number.POSITIVE_INFINITY)) index += 1;
    counts.durations[index] = (counts.durations[index] ?? 0) + 1;
    counts.durationMs += durationMs;
  }

  #begin(operationId: OperationId | undefined): OperationCounts {
    const counts = {
      statuses: new Map<number, number>(),
      durations: Array.from({ length: durationClassesMs.length + 1 }, () => 0),
      durationMs: 0,
    };
    this.operations.set(operationId, counts);
    return counts;
  }
}
