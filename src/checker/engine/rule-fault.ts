import type { CheckedExchange, Rule } from "../rules/rule.ts";
import type { RuleVerdict } from "./exchange-verdict.ts";

/** The keyword of a violation that is a bug in a rule, not an error of the target. */
export const faultKeyword = "internal";

/** The result of a rule that threw. It always fails the check; a known divergence never excuses it. Other rules are unaffected. */
export function faultResult(rule: Rule, { operation, status }: CheckedExchange, error: unknown): RuleVerdict {
  const description = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const violation = {
    rule: rule.id,
    section: rule.section,
    operationId: operation.operationId,
    status,
    outcome: "FAIL",
    divergence: undefined,
    expected: "the rule completes",
    actual: `internal: rule ${rule.id} threw on this exchange (${description})`,
    pointer: "",
    keyword: faultKeyword,
  } as const;
  return { rule: rule.id, outcome: "FAIL", violations: [violation], isFault: true };
}

interface RuleFaults {
  readonly faults: readonly { readonly rule: string; readonly count: number }[];
}

/** A message about rules that threw, and how to report them; undefined without faults. */
export function faultSentence({ faults }: RuleFaults): string | undefined {
  if (faults.length === 0) return undefined;
  const list = faults.map(({ rule, count }) => `rule ${rule} threw ${count === 1 ? "once" : `${count} times`}`);
  return `Understudy has a bug: ${list.join(", ")}. All other rules were applied. Please report it with the violations marked "internal": --report FILE.json contains them with request and response.`;
}
