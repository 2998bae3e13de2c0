import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { rules } from "../rules/index.ts";
import { documentedPath } from "../rules/read-exchange.ts";
import type { CheckedExchange, Finding, Rule } from "../rules/rule.ts";
import { createDivergenceMatch, type KnownDivergences } from "./_divergence-match.ts";
import { rulesByOperation } from "./_rules-by-operation.ts";
import type { ExchangeVerdict, Level, Outcome, RuleResult } from "./checker.ts";
import { faultResult } from "./rule-fault.ts";

const exchangeRules = rulesByOperation(
  rules
    .filter((rule) => rule.type === "exchange")
    .map((rule) => ({ rule, operations: rule.operations, kept: keptBy(rule) })),
);

/** What findings are measured by. */
export interface Measure {
  readonly level: Level;
  readonly knownDivergences: KnownDivergences;
  readonly probe?: string | undefined;
}

/** The measure of a level of the contract. */
export function createMeasure({
  spec,
  level,
  probe,
}: { readonly spec: Spec } & Pick<Measure, "level" | "probe">): Measure {
  return { level, probe, knownDivergences: createDivergenceMatch(spec.divergences) };
}

/** What the rules that need no other exchange say of one. */
export function exchangeVerdict(checked: CheckedExchange, measure: Measure): ExchangeVerdict {
  const results: RuleResult[] = [];
  for (const { rule, kept } of exchangeRules(checked.operation.operationId)) {
    try {
      if (!rule.appliesTo(checked)) continue;
      const findings = rule.check(checked);
      results.push(findings.length === 0 ? kept : resultOf(rule, rule.severity, checked, measure, findings));
    } catch (error) {
      results.push(faultResult(rule, checked, error));
    }
  }
  return { type: "checked", operationId: checked.operation.operationId, status: checked.status, results };
}

export function outside({ request }: Exchange): ExchangeVerdict {
  return { type: "outside", method: request.method, path: documentedPath(request.target) };
}

/** The worst that the rules say of an exchange. */
export function outcomeOf(verdict: ExchangeVerdict): Outcome {
  return verdict.type === "outside" ? "PASS" : worstIn(verdict.results);
}

const worst: readonly Outcome[] = ["FAIL", "WARN", "KNOWN", "PASS"];

/** The worst of several outcomes; PASS where there are none. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  return worst.find((candidate) => outcomes.includes(candidate)) ?? "PASS";
}

function worstIn(parts: readonly { readonly outcome: Outcome }[]): Outcome {
  let place = worst.length - 1;
  for (const { outcome } of parts) if (outcome !== "PASS") place = Math.min(place, worst.indexOf(outcome));
  return worst[place] ?? "PASS";
}

/** Findings of one rule in one exchange: a list may be wrong in every one of its entries. */
const findingsMax = 50;

/** Most rules are kept by most exchanges, so they share the result. */
function keptBy({ id }: Rule): RuleResult {
  return { rule: id, outcome: "PASS", violations: [] };
}

/** What one rule says of an exchange. */
export function resultOf(
  rule: Rule,
  severity: Rule["severity"],
  checked: CheckedExchange,
  { level, knownDivergences, probe }: Measure,
  findings: readonly Finding[],
): RuleResult {
  if (findings.length === 0) return keptBy(rule);
  const divergenceOf = knownDivergences(rule.id, checked);
  const violations = findings.slice(0, findingsMax).map((finding) => {
    const known = divergenceOf(finding);
    const outcome = known !== undefined && level === "release" ? "KNOWN" : severity === "warning" ? "WARN" : "FAIL";
    const { operation, status, exchange, context: given } = checked;
    // Written out, since a target that diverges does so often, and copying by spread takes several times as long.
    return {
      rule: rule.id,
      section: rule.section,
      operationId: operation.operationId,
      status,
      outcome,
      divergence: known?.id,
      exchange,
      expected: finding.expected,
      actual: finding.actual,
      pointer: finding.pointer,
      keyword: finding.keyword,
      value: finding.value,
      token: given.token,
      probe,
    } as const;
  });
  return { rule: rule.id, outcome: worstIn(violations), violations };
}
