import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Finding, TokenKind } from "../rules/rule.ts";

/** With `spec`, known divergences fail. With `release`, they are listed and pass. */
export type Level = "spec" | "release";

/** `KNOWN` is a known divergence of the release. */
export type Outcome = "PASS" | "WARN" | "KNOWN" | "FAIL";

/** The outcomes from the best to the worst. */
export const outcomes: readonly Outcome[] = ["PASS", "KNOWN", "WARN", "FAIL"];

/** Positive if the first outcome is worse than the second, negative if it is better. */
export function compareOutcomes(left: Outcome, right: Outcome): number {
  return outcomes.indexOf(left) - outcomes.indexOf(right);
}

/** A broken rule, in the verdict of the exchange that broke it. */
export interface Violation extends Finding {
  readonly rule: string;
  /** The section of the spec. */
  readonly section: string;
  readonly operationId: string;
  /** 0 where the response is incomplete. */
  readonly status: number;
  readonly outcome: Exclude<Outcome, "PASS">;
  /** The id of the known divergence that matches the finding. */
  readonly divergence: string | undefined;
  /** The kind of token in the request, where it is known. */
  readonly token?: TokenKind | undefined;
  /** The probe that sent the request. */
  readonly probe?: string | undefined;
}

/** The verdict of one rule on one exchange. */
export interface RuleVerdict {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly violations: readonly Violation[];
  /** Set where the rule threw; the violation holds the error. */
  readonly isFault?: true;
}

/** The results of all rules on one exchange; `status` is 0 where the response is incomplete. */
export type ExchangeVerdict =
  | {
      readonly type: "checked";
      readonly exchange: Exchange;
      readonly operationId: string;
      readonly status: number;
      readonly results: readonly RuleVerdict[];
    }
  | { readonly type: "unsupported"; readonly exchange: Exchange; readonly method: string; readonly path: string };

/** The worst outcome of all rules on an exchange. */
export function outcomeOf(verdict: ExchangeVerdict): Outcome {
  return verdict.type === "unsupported" ? "PASS" : worstIn(verdict.results);
}

/** The worst outcome of several parts; PASS for an empty list. */
export function worstIn(parts: readonly { readonly outcome: Outcome }[]): Outcome {
  let worst: Outcome = "PASS";
  for (const { outcome } of parts) if (outcome !== "PASS" && compareOutcomes(outcome, worst) > 0) worst = outcome;
  return worst;
}
