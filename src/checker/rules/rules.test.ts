import { expect, test } from "vitest";
import { exchangeOf, namedExamples } from "../../../test/_example-exchange.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import { impliedRegistryProfile, loadSpec, type Spec } from "../../foundation/spec/spec.ts";
import { checkTrace } from "../engine/checker.ts";
import { rules } from "./index.ts";
import { createExchangeReader } from "./read-exchange.ts";
import type { BoundedMap, CheckedExchange, RuleExample, TraceRule } from "./rule.ts";
import { pageOfUsers } from "./sample-bodies.ts";
import { users } from "./sample-users.ts";

const specs = new Map<string, Spec>();

function specIn(ledger: string): Spec {
  const registry = impliedRegistryProfile(ledger);
  const spec = specs.get(ledger) ?? loadSpec({ ledger, registry }, { hasAdditionalOperations: true });
  specs.set(ledger, spec);
  return spec;
}

/** The findings that a check in profile `spec` lists for a rule. */
function findings(rule: string, exchanges: readonly Omit<RuleExample, "name">[]) {
  const spec = specIn("spec");
  const steps = exchanges.map((example) => ({ exchange: exchangeOf(spec, example), context: example.context ?? {} }));
  const { violations } = checkTrace(steps, { spec, level: "spec" }).summary();
  return violations.filter((each) => each.rule === rule).map(({ expected, actual }) => [expected, actual]);
}

/** The worst outcome of a rule over consecutive exchanges; undefined if the rule does not apply. */
function outcome(rule: (typeof rules)[number], exchanges: readonly Omit<RuleExample, "name">[]): string | undefined {
  const spec = specIn(rule.examplesIn ?? "spec");
  const steps = exchanges.map((example) => ({ exchange: exchangeOf(spec, example), context: example.context ?? {} }));
  const verdict = checkTrace(steps, { spec, level: "spec", areAdditionalOperationsChecked: true });
  const found = verdict.summary().matrix.filter((row) => row.rule === rule.id);
  return found.find((row) => row.outcome !== "PASS")?.outcome ?? found[0]?.outcome;
}

const examples = namedExamples(rules);

test.each(examples)("$name", ({ rule, verdict, exchanges, isWarning }) => {
  // An inconclusive example also counts as kept, except for the first one.
  const isFirst = exchanges === first(rule.examples.kept);
  const kept = isFirst ? ["PASS"] : ["PASS", undefined];
  const broken = [rule.severity === "error" && !isWarning ? "FAIL" : "WARN"];
  expect(verdict === "kept" ? kept : broken).toContain(outcome(rule, exchanges));
});

test("a walk that ends because the last page has no token says so", () => {
  const all = { ...users, body: pageOfUsers(["a", "b"], "") };
  const cut = { ...users, target: "/v2/users?pageSize=1", body: '{"users":[{"id":"a"}]}' };
  const ending = ", whose last page has no `nextPageToken`";
  expect(findings("pages-complete", [all, cut, all])).toEqual([
    [`only the users of the previous walk${ending}`, "also b"],
    ["b, as in the previous walk", `missing from the walk${ending}`],
  ]);
});

test("a success without a valid token names the token", () => {
  const sent = (token: "none" | "expired") => findings("token-required", [{ ...users, context: { token } }]);
  expect([sent("none"), sent("expired")]).toEqual([
    [["an error", "200 for a request without a token"]],
    [["an error", "200 for a request with an expired token"]],
  ]);
});

function first(kept: (typeof rules)[number]["examples"]["kept"]): unknown {
  const [example] = kept;
  return example !== undefined && "exchanges" in example ? example.exchanges : undefined;
}

test("every rule has a summary and both kinds of examples", () => {
  for (const rule of rules) {
    expect(rule.summary).toMatch(/^[A-Z].*\.$/);
    expect(rule.examples.kept.length * rule.examples.broken.length, rule.id).toBeGreaterThan(0);
  }
});

const traceExamples = examples.flatMap(({ rule, ...of }) => (rule.type === "trace" ? [{ rule, ...of }] : []));

test.each(traceExamples)("$name, and the rule ignores operations that it does not list", ({ rule, exchanges }) => {
  const { operations } = rule;
  const spec = specIn(rule.examplesIn ?? "spec");
  const others = spec.operations.filter(({ operationId }) => operations?.includes(operationId) === false);
  const checked = exchanges.flatMap((example) => checkedAt(spec, example));
  const stirred = others.filter((operation) => checked.some((one) => isStirred(rule, { ...one, operation })));
  expect(stirred.map(({ operationId }) => operationId)).toEqual([]);
});

function checkedAt(spec: Spec, example: Omit<RuleExample, "name">): readonly CheckedExchange[] {
  const exchange = exchangeOf(spec, example);
  const route = routeOf(spec, exchange.request);
  const { context = {} } = example;
  const options = { context, span: { start: 0, end: 1 } };
  return route === undefined ? [] : [createExchangeReader(spec)(exchange, route, options)];
}

/** Whether a rule has a result for an exchange or uses its memory for it. */
function isStirred(rule: TraceRule, checked: CheckedExchange): boolean {
  let lookups = 0;
  const look = (): undefined => {
    lookups += 1;
  };
  const memory = <Value>(): BoundedMap<Value> => ({ get: look, set: look, delete: look });
  const watch = rule.watch({ map: memory, cache: memory });
  const traced = { ...checked, span: { start: 0, end: 1 } };
  watch.begins?.(traced);
  return watch.ends(traced).type !== "not-applicable" || lookups > 0;
}

test("a rule yields only to rules that exist, and to none that yields to it", () => {
  const yielding = new Map(rules.map((rule) => [rule.id, rule.type === "exchange" ? (rule.yieldsTo ?? []) : []]));
  const wrong = [...yielding].flatMap(([id, others]) =>
    others.filter((other) => yielding.get(other)?.includes(id) !== false).map((other) => `${id} to ${other}`),
  );
  expect(wrong).toEqual([]);
});
