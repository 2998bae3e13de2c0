import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { rules } from "../rules/index.ts";
import { documentedPath } from "../rules/read-exchange.ts";
import type { CheckedExchange, Finding, Rule } from "../rules/rule.ts";
import { createDivergenceMatch, type KnownDivergences } from "./_divergence-match.ts";
import { rulesByOperation } from "./_rules-by-operation.ts";
import { type ExchangeVerdict, type Level, type RuleVerdict, worstIn } from "./exchange-verdict.ts";
import { faultResult } from "./rule-fault.ts";

const exchangeRules = rulesByOperation(
  rules
    .filter((rule) => rule.type === "exchange")
    .map((rule) => ({ rule, operations: rule.operations, kept: passOf(rule) })),
);

/** The criteria that turn findings into outcomes. */
export interface Criteria {
  readonly level: Level;
  readonly knownDivergences: KnownDivergences;
  readonly probe?: string | undefined;
}

/** Creates the criteria of a level, with the known divergences of the profile. */
export function createCriteria({
  spec,
  level,
  probe,
}: { readonly spec: Spec } & Pick<Criteria, "level" | "probe">): Criteria {
  return { level, probe, knownDivergences: createDivergenceMatch(spec.divergences) };
}

/** Applies every exchange rule that concerns the operation. */
export function applyExchangeRules(checked: CheckedExchange, criteria: Criteria): ExchangeVerdict {
  const results: RuleVerdict[] = [];
  for (const { rule, kept } of exchangeRules(checked.operation.operationId)) {
    try {
      if (!rule.appliesTo(checked)) continue;
      const findings = rule.check(checked);
      results.push(findings.length === 0 ? kept : resultOf(rule, checked, criteria, findings));
    } catch (error) {
      results.push(faultResult(rule, checked, error));
    }
  }
  return verdictOf(checked, withoutRepeatedCauses(results));
}

/** Drops the results of rules that yield to a failed rule, so that one cause gives one violation. */
function withoutRepeatedCauses(results: readonly RuleVerdict[]): readonly RuleVerdict[] {
  const failed = results.filter(({ outcome }) => outcome === "FAIL").map(({ rule }) => rule);
  if (failed.length === 0) return results;
  return results.filter(({ rule }) => !yielding.get(rule)?.some((other) => failed.includes(other)));
}

const yielding: ReadonlyMap<string, readonly string[]> = new Map(
  rules.flatMap((rule) => (rule.type === "exchange" && rule.yieldsTo !== undefined ? [[rule.id, rule.yieldsTo]] : [])),
);

export function verdictOf(
  { exchange, operation, status }: CheckedExchange,
  results: readonly RuleVerdict[],
): ExchangeVerdict {
  return { type: "checked", exchange, operationId: operation.operationId, status, results };
}

/** The verdict of an exchange whose operation is not checked. */
export function unsupported(exchange: Exchange): ExchangeVerdict {
  const { method, target } = exchange.request;
  return { type: "unsupported", exchange, method, path: documentedPath(target) };
}

/** Findings that one rule may report per exchange. Without a limit, a long list with an error in every entry gives thousands. */
const findingsMax = 50;

/** The result of a rule without findings. One object per rule is shared by all exchanges. */
function passOf({ id }: Rule): RuleVerdict {
  return { rule: id, outcome: "PASS", violations: [] };
}

/** Turns the findings of one rule on an exchange into its result. */
export function resultOf(
  rule: Rule,
  checked: CheckedExchange,
  { level, knownDivergences, probe }: Criteria,
  findings: readonly Finding[],
): RuleVerdict {
  if (findings.length === 0) return passOf(rule);
  const divergenceOf = knownDivergences(rule.id, checked);
  const isOfSpec = level === "spec" || checked.spec.profile[checked.operation.api] === "spec";
  // A long list of known divergences hides no other finding.
  const isKnown = (finding: Finding) => divergenceOf(finding) !== undefined;
  const shown =
    findings.length > findingsMax
      ? [...findings.filter((finding) => !isKnown(finding)), ...findings.filter(isKnown)]
      : findings;
  const violations = shown.slice(0, findingsMax).map((finding) => {
    const known = divergenceOf(finding);
    const isWarning = rule.severity === "warning" || isAdvice(finding, rule, isOfSpec);
    const outcome = known !== undefined && level === "release" ? "KNOWN" : isWarning ? "WARN" : "FAIL";
    const { operation, status, context } = checked;
    // Explicit members: object spread takes several times as long, and a diverging target repeats its findings in every response.
    return {
      rule: rule.id,
      section: rule.section,
      operationId: operation.operationId,
      status,
      outcome,
      divergence: known?.id,
      expected: finding.expected,
      actual: finding.actual,
      pointer: finding.pointer,
      keyword: finding.keyword,
      value: finding.value,
      token: context.token,
      probe,
    } as const;
  });
  return { rule: rule.id, outcome: worstIn(violations), violations };
}

/** Whether the finding is only a warning, at level `spec` and in profile `spec` also where only releases define it. */
function isAdvice({ basis }: Finding, { inSpec }: Rule, isOfSpec: boolean): boolean {
  return basis === "advice" || (isOfSpec && (basis === "release" || inSpec?.warning === "all"));
}
