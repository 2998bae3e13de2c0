import { expect, test } from "vitest";
import type { ShownClientFinding, TrafficLine } from "../parts/control-api.ts";
import { clientCountsOf, clientFindingsOf, violationsOf } from "./findings.ts";

const line = (number: number, given: Partial<TrafficLine>): TrafficLine => ({
  number,
  startedAt: "",
  virtualAt: "",
  durationMs: 1,
  method: "GET",
  target: "/v2/users",
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
const schema = { rule: "body-schema", outcome: "FAIL" } as const;
const paging = { rule: "page-tokens-from-pages", severity: "error" } as const;
const token = { rule: "token-stays-at-ledger", severity: "warning" } as const;
const violation = {
  ...schema,
  operationId: "getV2Users",
  status: 200,
  section: "4",
  pointer: "/users/0/id",
  expected: "must be string",
  actual: "5",
  count: 7,
};

test("a violation names its places, and counts exchanges rather than places", () => {
  const warning = { ...violation, rule: "known-members", outcome: "WARN" as const };
  const violations = [warning, violation, { ...violation, pointer: "/users/0/isDeactivated" }];
  const entry = { operationId: "getV2Users", status: 200, rule: "body-schema", outcome: "FAIL", count: 9 } as const;
  const lines = [line(1, { rules: [schema] }), line(2, {}), line(3, { rules: [schema], status: 400 })];
  const [first, second] = violationsOf({ violations, matrix: [entry] }, lines);
  expect(first).toMatchObject({ first: { rule: "body-schema" }, count: 9, numbers: [1] });
  expect(first?.places.map(({ pointer }) => pointer)).toEqual(["/users/0/id", "/users/0/isDeactivated"]);
  expect(second).toMatchObject({ first: { rule: "known-members" }, count: 0, numbers: [] });
});

test("client findings of one rule and operation are one, errors first", () => {
  const about = {
    operationId: "getV2Users",
    method: "GET",
    path: "/v2/users",
    status: 200,
    section: "4",
    sentence: "",
  };
  const finding = { ...about, expected: "", actual: "", pointer: "", advice: "", exchange: 0, kind: "", count: 1 };
  const findings: readonly ShownClientFinding[] = [
    { ...finding, ...token },
    { ...finding, ...paging },
    { ...finding, ...paging, pointer: "/a" },
  ];
  const lines = [line(4, { clientRules: [paging] }), line(5, { clientRules: [paging, token] })];
  const found = clientFindingsOf(findings, lines);
  expect(found.map(({ first, places, numbers, count }) => [first.rule, places.length, numbers, count])).toEqual([
    [paging.rule, 2, [4, 5], 2],
    [token.rule, 1, [5], 1],
  ]);
});

test("counts each exchange once, by the worst finding about its request", () => {
  const lines = [
    line(1, { clientRules: [token, paging] }),
    line(2, { unexpected: "unknown-path" }),
    line(3, { clientRules: [token] }),
    line(4, { rules: [schema] }),
  ];
  const refused = line(5, { status: 404, reason: "USER_NOT_FOUND" });
  const sides = { isStub: true, areBothShown: true };
  expect(clientCountsOf([...lines, refused], sides)).toEqual({ errors: 2, warnings: 2, fine: 1 });
});
