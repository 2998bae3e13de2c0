import type { Exchange } from "../../foundation/http/exchange.ts";
import type { ReadBefore } from "../rules/live-exchange.ts";

/** What a consumer did that the document does not ask for, without secrets. It says nothing of the target. */
export interface ConductFinding {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly section: string;
  /** The sentence of the document that the rule comes from. */
  readonly sentence: string;
  readonly operationId: string;
  readonly method: string;
  /** The operation's path, with its parameters by name. */
  readonly path: string;
  /** What it was answered with; 0 where no answer came whole. */
  readonly status: number;
  readonly expected: string;
  readonly actual: string;
  /** A JSON pointer into the body of the request; empty for the request as a whole. */
  readonly pointer: string;
  /** What the consumer should do. */
  readonly advice: string;
  /** Which of the exchanges it was found in: the first that was added is 0. */
  readonly exchange: number;
}

/** The first finding of its kind, with how often it came. The kind names rule, operation and place, and no values. */
export interface CountedConductFinding extends ConductFinding {
  readonly kind: string;
  readonly count: number;
}

/** Findings as far as they are kept. */
export interface ConductReport {
  /** One of each kind, in the order in which they came. */
  readonly findings: readonly CountedConductFinding[];
  /** Findings of further kinds. */
  readonly dropped: number;
  readonly faults: readonly ConductFault[];
}

/** A rule that failed itself, how often, and how the first time: a fault of ours, and none of the consumer. */
export interface ConductFault {
  readonly rule: string;
  readonly count: number;
  readonly problem: string;
}

/** Watches the exchanges of a consumer, in the order in which they were answered. */
export interface ConductWatch {
  /** `before` comes with an exchange that has just taken place; such exchanges come one by one. */
  add(exchange: Exchange, before?: ReadBefore): void;
  report(): ConductReport;
}

/** Whether a report has something that the document does not allow. */
export function hasErrors({ findings }: ConductReport): boolean {
  return findings.some(({ severity }) => severity === "error");
}
