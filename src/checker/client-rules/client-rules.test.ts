import { expect, test } from "vitest";
import { exchangeOf, namedExamples } from "../../../test/_example-exchange.ts";
import { specSentences } from "../../../test/_spec-sentences.ts";
import { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { ClientChecker, checkClientRules } from "../engine/client-checker.ts";
import type { ParsedExchange } from "../rules/read-exchange.ts";
import { clientRules } from "./index.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });
const release = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

const examples = namedExamples(clientRules);

test.each(examples)("$name", ({ rule, verdict, exchanges }) => {
  const examplesSpec = rule.examplesIn === undefined ? spec : release;
  const findings = checkClientRules(
    examplesSpec,
    exchanges.map((example) => exchangeOf(examplesSpec, example)),
  ).filter((finding) => finding.rule === rule.id);
  // The last exchange of a broken example breaks the rule.
  const found = [...new Set(findings.map(({ severity, exchange }) => `${severity} ${exchange}`))];
  expect(found).toEqual(verdict === "kept" ? [] : [`${rule.severity} ${exchanges.length - 1}`]);
});

test.each(examples)("$name, also when checked live", ({ rule, exchanges }) => {
  const examplesSpec = rule.examplesIn === undefined ? spec : release;
  const all = exchanges.map((example) => exchangeOf(examplesSpec, example));
  const options = { spec: examplesSpec, order: "one-by-one", isWhole: true, isOneWorld: true } as const;
  const [recorded, read, unread] = Array.from({ length: 3 }, () => new ClientChecker(options));
  for (const exchange of all) {
    recorded?.add(exchange);
    read?.add(exchange, bodiesOf(exchange));
    unread?.add(exchange, {});
  }
  recorded?.end();
  expect(read?.report()).toEqual(recorded?.report());
  expect(unread?.report()).toEqual(recorded?.report());
});

test("a refused request without a token breaks a rule where the stub sees it; a recorder may have omitted the token", () => {
  const request = { method: "GET", target: "/v2/users", headers: [], body: new Body("") };
  const response = { type: "response", status: 401, headers: [], body: new Body("{}") } as const;
  const exchange = { startedAt: "2026-01-01T00:00:00Z", durationMs: 1, request, response };
  const findingsOf = (isOneWorld: boolean) => {
    const checker = new ClientChecker({ spec, order: "one-by-one", isWhole: true, isOneWorld });
    checker.add(exchange);
    return checker.report().findings;
  };
  expect(findingsOf(false)).toEqual([]);
  expect(findingsOf(true)).toMatchObject([{ rule: "token-in-header", severity: "error", actual: "no token" }]);
});

/** The parsed bodies that a stub supplies. */
function bodiesOf({ request, response: received }: Exchange): ParsedExchange {
  const response = received.type === "response" ? jsonOf(received.body.text()) : undefined;
  return { request: jsonOf(request.body.text()), response: () => response };
}

test("every client rule has both kinds of examples, complete texts, and a sentence of the spec", () => {
  for (const { id, summary, why, advice, sentence, section, operations, examples } of clientRules) {
    for (const text of [summary, why, advice]) expect(text, id).toMatch(/^[A-Z`].*\.$/);
    expect(examples.kept.length * examples.broken.length, id).toBeGreaterThan(0);
    expect(Object.values(specSentences[section] ?? {}).join(" "), id).toContain(sentence);
    expect(sentence, id).toMatch(/^[A-Z`].*\.$/);
    for (const operationId of operations ?? [])
      expect(
        spec.operations.map((operation) => operation.operationId),
        id,
      ).toContain(operationId);
  }
});
