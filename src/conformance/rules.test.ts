import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { formatJson } from "../http/json.ts";
import { type Response, textResponse } from "../http/response.ts";
import { impliedRegistryProfile, loadSpec, type Spec } from "../spec/spec.ts";
import { Judge } from "./judge.ts";
import type { RuleExample } from "./rule.ts";
import { rules } from "./rules/index.ts";
import { Verdict } from "./verdict.ts";

const specs = new Map<string, Spec>();

function specIn(ledger: string): Spec {
  const registry = impliedRegistryProfile(ledger);
  const spec = specs.get(ledger) ?? loadSpec({ ledger, registry }, { hasNeighbours: true });
  specs.set(ledger, spec);
  return spec;
}

/** Status 0 stands for an answer that does not come. */
function exchangeOf(spec: Spec, example: Omit<RuleExample, "name">): Exchange {
  const { operationId, target, requestHeaders = {}, requestBody, requestText, status } = example;
  const operation = spec.operations.find((candidate) => candidate.operationId === operationId);
  const text = requestText ?? (requestBody === undefined ? "" : formatJson(requestBody));
  return {
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1,
    request: {
      method: operation?.method ?? "",
      target,
      headers: Object.entries({ Authorization: "Bearer any", ...requestHeaders }).filter(([, value]) => value !== ""),
      body: new TextEncoder().encode(text),
    },
    answer: status === 0 ? { type: "broken", kind: "reset" } : answerOf(example),
  };
}

function answerOf({ status, contentType = "application/json", body, bodyBase64 }: Omit<RuleExample, "name">): Response {
  const response = textResponse(status, contentType, body);
  return bodyBase64 === undefined ? response : { ...response, body: Buffer.from(bodyBase64, "base64") };
}

/** The worst outcome of a rule over exchanges that follow each other; undefined where the rule does not apply. */
function outcome(rule: (typeof rules)[number], exchanges: readonly Omit<RuleExample, "name">[]): string | undefined {
  const spec = specIn(rule.examplesIn ?? "document");
  const verdict = new Verdict(spec);
  const settings = { spec, level: "document", areNeighboursJudged: false, order: "one-by-one", isAlone: true } as const;
  const judge = new Judge(settings, verdict);
  for (const example of exchanges) judge.add(exchangeOf(spec, example), example.known);
  judge.end();
  const found = verdict.summary().matrix.filter((row) => row.rule === rule.id);
  return found.find((row) => row.outcome !== "PASS")?.outcome ?? found[0]?.outcome;
}

const examples = rules.flatMap((rule) =>
  (["kept", "broken"] as const).flatMap((verdict) =>
    rule.examples[verdict].map((example) => ({
      rule,
      verdict,
      name: `${rule.id} is ${verdict} by ${example.name}`,
      exchanges: "exchanges" in example ? example.exchanges : [example],
    })),
  ),
);

test.each(examples)("$name", ({ rule, verdict, exchanges }) => {
  // What a rule cannot tell keeps it as well; the first of the kept examples is one that it can tell.
  const isFirst = exchanges === first(rule.examples.kept);
  const kept = isFirst ? ["PASS"] : ["PASS", undefined];
  expect(verdict === "kept" ? kept : [rule.severity === "error" ? "FAIL" : "WARN"]).toContain(outcome(rule, exchanges));
});

function first(kept: (typeof rules)[number]["examples"]["kept"]): unknown {
  const [example] = kept;
  return example !== undefined && "exchanges" in example ? example.exchanges : undefined;
}

test("every rule is named after its sentence and has both kinds of examples", () => {
  for (const rule of rules) {
    expect(rule.summary).toMatch(/^[A-Z].*\.$/);
    expect(rule.examples.kept.length * rule.examples.broken.length, rule.id).toBeGreaterThan(0);
  }
});
