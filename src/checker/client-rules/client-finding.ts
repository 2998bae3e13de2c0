import type { Exchange } from "../../foundation/http/exchange.ts";
import type { OperationId } from "../../foundation/spec/generated/names.ts";
import type { ParsedExchange } from "../rules/read-exchange.ts";
import type { ClientRuleId } from "./generated/client-rule-ids.ts";

/** A request of the consumer that breaks a client rule, without secrets. It says nothing about the target. */
export interface ClientFinding {
  readonly rule: ClientRuleId;
  readonly severity: "error" | "warning";
  readonly section: string;
  /** The sentence of the spec behind the rule. */
  readonly sentence: string;
  readonly operationId: OperationId | (string & {});
  readonly method: string;
  /** The path of the operation, with named parameters. */
  readonly path: string;
  /** Status of the response; 0 without a complete response. */
  readonly status: number;
  readonly expected: string;
  readonly actual: string;
  /** A JSON pointer into the request body; empty for the request as a whole. */
  readonly pointer: string;
  /** What the consumer should do. */
  readonly advice: string;
  /** Index of the exchange; the first one added is 0. */
  readonly exchange: number;
}

/**
 * The first finding of its kind, with the number of occurrences. The kind names rule, operation and place, without
 * values.
 */
export interface CountedClientFinding extends ClientFinding {
  readonly kind: string;
  readonly count: number;
}

/** The findings that are kept, within limits. */
export interface ClientReport {
  /** One finding of each kind, in order of occurrence. */
  readonly findings: readonly CountedClientFinding[];
  /** Number of findings of other kinds that were dropped. */
  readonly dropped: number;
  readonly faults: readonly ClientRuleFault[];
}

/** A client rule that threw an error: how often, and the first message. A bug in Understudy, not in the consumer. */
export interface ClientRuleFault {
  readonly rule: string;
  readonly count: number;
  readonly problem: string;
}

/** Watches the exchanges of a consumer, in the order of their responses. */
export interface ClientRulesWatch {
  /** `parsed` has what the stub has already parsed of an exchange that has just taken place. */
  add(exchange: Exchange, parsed?: ParsedExchange): void;
  report(): ClientReport;
}

/** Whether a report has findings of severity error. */
export function hasErrors({ findings }: ClientReport): boolean {
  return findings.some(({ severity }) => severity === "error");
}
