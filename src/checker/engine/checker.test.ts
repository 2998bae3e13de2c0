import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { printable } from "../../foundation/text/printable.ts";
import { renderTerminal } from "../reports/formats/terminal.ts";
import { readPrepared } from "../rules/read-prepared.ts";
import { createDivergenceMatch, globExpression } from "./_divergence-match.ts";
import { Checker, checkExchange } from "./checker.ts";
import { Verdict, type VerdictSummary } from "./verdict.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });
const refusal =
  '{"code":"INVALID_ARGUMENT","cause":"no","correlationId":null,"traceId":"ab","context":{},"resources":[],"errorCategory":8,"grpcCodeValue":3,"retryInfo":null,"definiteAnswer":null}';

function users(status: number, body: string, target = "/v2/users"): Exchange {
  const headers = [
    ["Host", "node.example"],
    ["Authorization", "Bearer top-secret"],
  ] as const;
  return exchangeOf({ target, headers, status, responseBody: body });
}

function shownAtTerminal(summary: VerdictSummary, isColoured = false): string {
  const context = {
    isStrict: false,
    sources: [],
    profileReason: "set by --profile",
    probing: undefined,
    baseline: undefined,
  } as const;
  return renderTerminal({ summary, ...context }, isColoured);
}

test("shows a known divergence at level release; at level spec it fails, and a rule about the same cause is silent", () => {
  const outcomes = (level: "release" | "spec") => {
    const verdict = checkExchange(spec, level, users(400, refusal));
    return (
      verdict.type === "checked" && Object.fromEntries(verdict.results.map(({ rule, outcome }) => [rule, outcome]))
    );
  };
  expect(outcomes("release")).toMatchObject({ "ledger-400-is-text": "KNOWN", "ledger-error-shape": "KNOWN" });
  expect(outcomes("spec")).toMatchObject({ "ledger-400-is-text": "FAIL" });
  expect(outcomes("spec")).not.toHaveProperty("ledger-error-shape");
});

test("excuses no divergence in the profile spec", () => {
  const verdict = checkExchange(loadSpec({ ledger: "spec", registry: "spec" }), "release", users(400, refusal));
  expect(verdict.type === "checked" && verdict.results.find(({ rule }) => rule === "ledger-400-is-text")?.outcome).toBe(
    "FAIL",
  );
});

test("an exchange that is learnt is not counted, and trace rules remember what it shows", () => {
  const page = (target: string, next: string) => users(200, `{"users":[{"id":"a"}],"nextPageToken":"${next}"}`, target);
  const verdict = new Verdict(spec);
  const options = { spec, level: "release", areAdditionalOperationsChecked: false, isExclusive: true } as const;
  const checker = new Checker({ ...options, order: "one-by-one" }, verdict);
  checker.learn(page("/v2/users", "t"));
  checker.add(page("/v2/users?pageToken=t", ""));
  checker.end();
  const { exchanges, violations } = verdict.summary();
  expect(exchanges).toBe(1);
  expect(violations).toMatchObject([{ rule: "pages-disjoint", count: 1 }]);
});

test("times of a recording that no exchange can have do not count", () => {
  const verdict = new Verdict(spec);
  for (const durationMs of [Number.MAX_VALUE, Number.MAX_VALUE, Number.NaN, 3])
    verdict.add(checkExchange(spec, "release", { ...users(400, refusal), durationMs }));
  expect(verdict.summary().responseTimesMs).toEqual({ "getV2Users 400": 3 });
});

test("a violation has rule, section, pointer and a curl line without the token", () => {
  const verdict = new Verdict(spec);
  verdict.add(checkExchange(spec, "release", users(200, '{"users":[{"id":5}]}')));
  const summary = verdict.summary();
  expect(summary.violations).toMatchObject([
    { rule: "body-schema", section: "4", pointer: "/users/0/id", actual: "5" },
  ]);
  expect(summary.violations[0]?.curl).toBe(`curl -sS -H "Authorization: Bearer $TOKEN" "http://node.example/v2/users"`);
  expect(shownAtTerminal(summary)).toMatch(
    /FAIL body-schema: getV2Users 200, GET \/v2\/users\n {2}expected {2}\/users\/0\/id must be string\n {2}actual {4}5/,
  );
  expect(JSON.stringify(summary)).not.toContain("top-secret");
});

test("finds the operation behind a path prefix; other paths are unsupported", () => {
  expect(checkExchange(spec, "release", users(200, '{"users":[]}', "/participant/v2/users")).type).toBe("checked");
  expect(checkExchange(spec, "release", users(200, "{}", "/v2/version")).type).toBe("unsupported");
});

test("lists operations, statuses and known divergences that were not observed", () => {
  const verdict = new Verdict(spec);
  verdict.add(checkExchange(spec, "release", users(400, refusal)));
  const summary = verdict.summary();
  expect(summary.operationsNotObserved).not.toContain("getV2Users");
  expect(summary.operationsNotObserved).toContain("getV2Idps");
  expect(summary.statusesNotObserved).toContain("getTransferFactory 409");
  expect(summary.divergencesNotObserved).toContain("DIV-044");
  expect(summary.knownDivergences.map(({ id }) => id)).toContain("DIV-001");
});

test.each([
  ["/users/*/metadata", "/users/0/metadata", true],
  ["/users/*/metadata", "/users/0/1/metadata", false],
  ["/**/validFrom*", "/a/b/validFromInclusive", true],
  ["/**/x", "/x", true],
  ["/a/debug*", "/a/bug", false],
  ["/a*a", "/a", false],
  ["/a*a", "/aa", true],
  ["/a/**", "/a", true],
  ["/a", "/a/b", false],
  ["/a.b", "/acb", false],
])("matches the glob %s against %s: %s", (pattern, pointer, isMatch) => {
  expect(globExpression(pattern).test(pointer)).toBe(isMatch);
});

test("matches a divergence by rule, API and all its conditions on the response", () => {
  const known = spec.divergences.find(({ id }) => id === "DIV-001");
  const operation = spec.operations.find(({ operationId }) => operationId === "getV2Users");
  if (known === undefined || operation === undefined) throw new Error("the contract has changed");
  const finding = { expected: "", actual: "", pointer: "/a/b", keyword: "type", value: null };
  const checked = {
    exchange: users(400, refusal),
    spec,
    operation,
    status: 400,
    mediaType: "application/json",
    charset: undefined,
    responseBody: emptyBody,
    responseJson: undefined,
    requestJson: undefined,
    requestText: "",
    length: 0,
    pathParameters: {},
    query: new URLSearchParams(),
    context: {},
    disclosed: [],
    preparedOf: readPrepared,
    span: undefined,
  };
  const isKnown = (change: object = {}, match: object = {}, rule = "r") => {
    const whole = { status: [400], mediaType: "application/json", keyword: "type", pointer: "/a/*", value: null };
    const divergence = { ...known, rule: "r", operations: ["*"], ...change, match: { ...whole, ...match } };
    return createDivergenceMatch([divergence])(rule, checked)(finding) !== undefined;
  };
  expect([isKnown(), isKnown({ operations: ["getV2Users"] })]).toEqual([true, true]);
  expect([isKnown({}, {}, "other"), isKnown({ api: "registry" }), isKnown({ operations: ["getV2Idps"] })]).toEqual(
    Array(3).fill(false),
  );
  const others = [
    { status: [401] },
    { mediaType: "text/plain" },
    { keyword: "enum" },
    { pointer: "/b/*" },
    { value: 0 },
  ];
  expect(others.map((match) => isKnown({}, match))).toEqual(Array(5).fill(false));
});

test("counts matrix rows, known divergences, and violations up to a limit", () => {
  const verdict = new Verdict(spec);
  const refused = users(400, refusal, "/v2/users?pageSize=5000");
  for (let time = 0; time < 2; time += 1) verdict.add(checkExchange(spec, "release", refused));
  for (let time = 0; time < 3; time += 1)
    verdict.add(checkExchange(spec, "release", users(200, '{"users":[{"id":5}]}')));
  for (let time = 0; time < 1001; time += 1)
    verdict.add(
      checkExchange(spec, "release", users(200, `{"users":[{"id":"a","metadata":{"annotations":{"k${time}":5}}}]}`)),
    );
  const summary = verdict.summary();
  expect(summary).toMatchObject({ exchanges: 1006, known: 2, failed: 1004, passed: 0 });
  expect([summary.violations.length, summary.violationsDropped]).toEqual([1000, 2]);
  expect(summary.violations.find(({ pointer }) => pointer === "/users/0/id")?.count).toBe(3);
  expect(summary.knownDivergences.find(({ id }) => id === "DIV-001")?.count).toBe(2);
  expect(summary.matrix).toContainEqual({
    operationId: "getV2Users",
    status: 200,
    rule: "body-schema",
    outcome: "FAIL",
    count: 1004,
  });
  expect(summary.statusesNotObserved.filter((status) => status.endsWith("default"))).toEqual([]);
  const rules = new Map(spec.divergences.map(({ id, rule }) => [id, rule]));
  expect(summary.divergencesNotObserved.filter((id) => rules.get(id) === "none")).toEqual([]);
  const shown = shownAtTerminal(summary, true);
  expect(shown).toContain("… and 2 further violations.");
  expect(shown).toMatch(/^Known divergences not observed: \d+/m);
  expect(shown).toMatch(
    /^1006 exchanges: 0 passed, 2 with known divergences only, 1004 failed\. \d kinds of known divergence break the spec: --strict fails on them\.$/m,
  );
});

test("fails a known divergence at level spec, with its id", () => {
  const verdict = new Verdict(spec);
  verdict.add(checkExchange(spec, "spec", users(400, refusal)));
  const { knownDivergences, violations } = verdict.summary();
  expect(knownDivergences).toEqual([]);
  expect(violations).toContainEqual(expect.objectContaining({ outcome: "FAIL", divergence: "DIV-001" }));
});

test("a response with a known divergence and a violation counts as failed", () => {
  const verdict = new Verdict(spec);
  verdict.add(checkExchange(spec, "release", users(400, refusal.replace('"cause":"no"', '"cause":5'))));
  expect(verdict.summary()).toMatchObject({ failed: 1, known: 0 });
});

test("truncates a long value", () => {
  const verdict = checkExchange(spec, "release", users(200, JSON.stringify({ users: ["x".repeat(300)] })));
  const found = verdict.type === "checked" ? verdict.results.flatMap(({ violations }) => violations) : [];
  expect(found.map(({ actual }) => actual.length)).toEqual([201]);
});

test("finds an operation of the registry behind a path prefix", () => {
  const exchange = users(
    404,
    '{"error":"x"}',
    "http://h/api/validator/registry/transfer-instruction/v2/transfer-factory",
  );
  const verdict = checkExchange(spec, "release", { ...exchange, request: { ...exchange.request, method: "POST" } });
  expect(verdict).toMatchObject({ type: "checked", operationId: "getTransferFactory", status: 404 });
});

test("escapes control and format characters in texts of a target", () => {
  expect(printable("a\u001b[31m\u202eb\u200bé")).toBe("a�[31m�b�é");
});

test("counts incomplete responses, and lists statuses only of observed operations", () => {
  const verdict = new Verdict(spec);
  verdict.add(checkExchange(spec, "release", { ...users(200, ""), response: { type: "broken", kind: "reset" } }));
  verdict.add(checkExchange(spec, "release", users(404, refusal, "/registry/none")));
  const shown = shownAtTerminal(verdict.summary());
  expect(shown).toMatch(/^2 exchanges: .* 1 failed \(1 incomplete response\), 1 unsupported\.$/m);
  expect(shown).not.toContain("Statuses not observed");
});
