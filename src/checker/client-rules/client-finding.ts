import type { Exchange } from "../../foundation/http/exchange.ts";
import type { ParsedBodies } from "../rules/live-exchange.ts";

/** What a consumer did that the spec does not ask for, without secrets. It says nothing of the target. */
export interface ClientFinding {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly section: string;
  /** The sentence of the spec that the rule comes from. */
  readonly sentence: string;
  readonly operationId: string;
  readonly method: string;
  /** The operation's path, with its parameters by name. */
  readonly path: string;
  /** What it got; 0 where no response came whole. */
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
export interface CountedClientFinding extends ClientFinding {
  readonly kind: string;
  readonly count: number;
}

/** Findings as far as they are kept. */
export interface ClientReport {
  /** One of each kind, in the order in which they came. */
  readonly findings: readonly CountedClientFinding[];
  /** Findings of further kinds. */
  readonly dropped: number;
  readonly faults: readonly ClientRuleFault[];
}

/** A rule that failed itself, how often, and how the first time: a fault of ours, and none of the consumer. */
export interface ClientRuleFault {
  readonly rule: string;
  readonly count: number;
  readonly problem: string;
}

/** Watches the exchanges of a consumer, in the order in which they were answered. */
export interface ClientRulesWatch {
  /** `before` comes with an exchange that has just taken place; such exchanges come one by one. */
  add(exchange: Exchange, before?: ParsedBodies): void;
  report(): ClientReport;
}

/** Whether a report has something that the spec does not allow. */
export function hasErrors({ findings }: ClientReport): boolean {
  return findings.some(({ severity }) => severity === "error");
}
