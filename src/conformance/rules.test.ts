import { expect, test } from "vitest";
import type { Exchange } from "../http/exchange.ts";
import { formatJson } from "../http/json.ts";
import { textResponse } from "../http/response.ts";
import { loadSpec } from "../spec/spec.ts";
import { judge } from "./judge.ts";
import type { RuleExample } from "./rule.ts";
import { rules } from "./rules/index.ts";

const spec = loadSpec({ ledger: "document", registry: "document" });

function exchangeOf({ operationId, target, requestBody, status, contentType, body }: RuleExample): Exchange {
  const operation = spec.operations.find((candidate) => candidate.operationId === operationId);
  return {
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1,
    request: {
      method: operation?.method ?? "",
      target,
      headers: [],
      body: new TextEncoder().encode(requestBody === undefined ? "" : formatJson(requestBody)),
    },
    answer: textResponse(status, contentType ?? "application/json", body),
  };
}

function outcome(ruleId: string, example: RuleExample): string | undefined {
  const verdict = judge(spec, "release", exchangeOf(example));
  return verdict.type === "judged" ? verdict.results.find(({ rule }) => rule === ruleId)?.outcome : verdict.type;
}

test.each(rules.flatMap((rule) => rule.examples.kept.map((example) => [rule.id, example.name, example] as const)))(
  "%s is kept by %s",
  (id, _name, example) => {
    expect(outcome(id, example)).toBe("PASS");
  },
);

test.each(rules.flatMap((rule) => rule.examples.broken.map((example) => [rule.id, example.name, example] as const)))(
  "%s is broken by %s",
  (id, _name, example) => {
    expect(outcome(id, example)).toBe("FAIL");
  },
);

test("every rule is named after its sentence and has both kinds of examples", () => {
  for (const rule of rules) {
    expect(rule.summary).toMatch(/^[A-Z].*\.$/);
    expect(rule.examples.kept.length * rule.examples.broken.length).toBeGreaterThan(0);
  }
});
