import type { CheckedExchange, Rule } from "../rules/rule.ts";
import type { RuleResult } from "./checker.ts";
import type { VerdictSummary } from "./verdict.ts";

/** The keyword of a violation that is a fault of the checker and none of the target. */
export const faultKeyword = "internal";

/** A rule that failed on an exchange says so in its result; what the others say stands. No divergence excuses it. */
export function faultResult(rule: Rule, { operation, status, exchange }: CheckedExchange, error: unknown): RuleResult {
  const told = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const violation = {
    rule: rule.id,
    section: rule.section,
    operationId: operation.operationId,
    status,
    outcome: "FAIL",
    divergence: undefined,
    exchange,
    expected: "a rule that comes to a result",
    actual: `internal: rule ${rule.id} failed on this exchange (${told})`,
    pointer: "",
    keyword: faultKeyword,
  } as const;
  return { rule: rule.id, outcome: "FAIL", violations: [violation], isFault: true };
}

/** What is told of rules that failed themselves, and how to report it; undefined where none did. */
export function faultSentence({ faults }: Pick<VerdictSummary, "faults">): string | undefined {
  if (faults.length === 0) return undefined;
  const list = faults.map(({ rule, count }) => `rule ${rule} failed ${count === 1 ? "once" : `${count} times`}`);
  return `Understudy has a bug: ${list.join(", ")}. The other rules checked all the same. Please report it with the violations that say "internal": --report FILE.json has them with request and answer.`;
}
