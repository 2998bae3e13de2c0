import { expect, test } from "vitest";
import type { TrafficLine } from "./control-api.ts";
import { addedBySides, problemKinds, problemsOf, worstOf } from "./problems.ts";

const line = (number: number, given: Partial<TrafficLine>): TrafficLine => ({
  number,
  startedAt: "",
  virtualAt: "",
  durationMs: 1,
  method: "GET",
  target: "/v2/users?pageSize=2",
  operationId: "getV2Users",
  status: 200,
  broken: null,
  outcome: "PASS",
  rules: [],
  clientRules: [],
  changes: 0,
  unexpected: null,
  reason: null,
  ...given,
});
const paging = { rule: "page-tokens-from-pages", severity: "error" } as const;
const schema = { rule: "body-schema", outcome: "FAIL" } as const;
const known = { rule: "ledger-400-is-text", outcome: "KNOWN" } as const;
const token = { rule: "token-stays-at-ledger", severity: "warning" } as const;
const [stub, node] = [true, false].map((isStub) => ({ isStub, areBothShown: false }));
const both = { isStub: true, areBothShown: true };
const faulty = line(1, { outcome: "FAIL", rules: [schema], clientRules: [paging] });

test.each([
  ["a client rule at a stub", stub, faulty, [paging.rule]],
  ["a rule at a recorded node", node, faulty, ["body-schema"]],
  ["both on request", both, faulty, [paging.rule, "body-schema"]],
  ["a known divergence", both, line(1, { outcome: "KNOWN", rules: [known] }), []],
  [
    "a known divergence beside a broken rule",
    node,
    line(1, { outcome: "FAIL", rules: [known, schema] }),
    [schema.rule],
  ],
  ["an injected fault", both, line(1, { outcome: "PLANNED", status: 503 }), []],
  ["a refused request", stub, line(1, { status: 401, reason: "Missing bearer token" }), ["refused"]],
  ["a conflict", stub, line(1, { status: 409, reason: "DUPLICATE_COMMAND" }), []],
  ["a planned refusal", stub, line(1, { status: 401, reason: "planned response", outcome: "PLANNED" }), []],
  ["a refused request of recorded traffic", node, line(1, { status: 401, reason: "Missing bearer token" }), []],
  ["an unexpected request", stub, line(1, { outcome: "UNSUPPORTED", unexpected: "unknown-path" }), ["unknown path"]],
])("problems of %s", (_, sides, given, names) => {
  expect(problemsOf(given, sides ?? both).map(({ name }) => name)).toEqual(names);
});

test("counts problems by kind, errors first, with the newest exchange", () => {
  const lines = [
    line(1, { clientRules: [token] }),
    line(2, { clientRules: [paging] }),
    line(3, { clientRules: [token] }),
  ];
  expect(problemKinds(lines, both)).toEqual([
    { name: paging.rule, severity: "error", of: "client", isRule: true, operation: "getV2Users", count: 1, newest: 2 },
    { name: token.rule, severity: "warning", of: "client", isRule: true, operation: "getV2Users", count: 2, newest: 3 },
  ]);
  const unknown = line(4, { operationId: null, unexpected: "unknown-path" });
  expect(problemKinds([unknown], both)).toMatchObject([{ operation: "GET /v2/users" }]);
});

test("says whose problem it is, and whether a rule describes it", () => {
  expect(problemsOf(faulty, both).map(({ of, isRule }) => [of, isRule])).toEqual([
    ["client", true],
    ["stub", true],
  ]);
  expect(problemsOf(faulty, node ?? both)).toMatchObject([{ of: "node" }]);
  expect(problemsOf(line(1, { unexpected: "unplanned" }), both)).toMatchObject([{ of: "client", isRule: false }]);
});

test("an error is worse than a warning", () => {
  const problems = problemsOf(line(1, { clientRules: [token, paging] }), both);
  expect([worstOf(problems), worstOf(problems.slice(0, 1)), worstOf([])]).toEqual(["error", "warning", undefined]);
});

test("says what the rules about the other side add, and when they add nothing", () => {
  const stubbed = [line(1, { rules: [schema, known] }), line(2, { clientRules: [paging] }), line(3, {})];
  expect(addedBySides(stubbed, true)).toBe(
    "The responses of the stub add 1 problem: 2 exchanges with problems, 1 before.",
  );
  expect(addedBySides([line(1, { clientRules: [paging] })], true)).toBe(
    "The responses of the stub add no problem: 1 exchange with problems, as before.",
  );
  expect(addedBySides(stubbed, false)).toBe(
    "The requests of the client add 1 problem: 2 exchanges with problems, 1 before.",
  );
});
