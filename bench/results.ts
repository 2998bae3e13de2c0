import type { Machine } from "./machine.ts";

/** The results of one run. */
export interface Results {
  /** ISO 8601, in UTC. */
  readonly date: string;
  readonly machine: Machine;
  /** Names and versions of all servers and tools. */
  readonly versions: Readonly<Record<string, string>>;
  /** Conditions of the measurement: rounds, seconds, pinning, driver. */
  readonly conditions: readonly string[];
  readonly cases: readonly CaseResult[];
}

export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly unit: Unit;
  readonly isHigherBetter: boolean;
  readonly measurements: readonly Measurement[];
  readonly absences: readonly Absence[];
}

export type Unit = "requests/s" | "exchanges/s" | "ms" | "µs" | "MB" | "bytes";

export interface Measurement {
  /** The name of a server or of another measured thing. */
  readonly subject: string;
  /** The median of the rounds. */
  readonly value: number;
  readonly rounds: readonly number[];
  /** Processor time of the server per request, in microseconds. */
  readonly cpuMicros?: number;
  /** What a reader has to know to interpret the value. */
  readonly note?: string;
}

/** A subject without a measurement, with the reason. */
export interface Absence {
  readonly subject: string;
  readonly reason: string;
}
