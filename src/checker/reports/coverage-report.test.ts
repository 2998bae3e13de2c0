import { expect, test } from "vitest";
import { loadSpec, type ProfileNames } from "../../foundation/spec/spec.ts";
import type { CoverageCounts } from "../engine/consumer-coverage.ts";
import { coverageReport, percentOf } from "./coverage-report.ts";
import { neverSeenIn } from "./never-seen.ts";

const release = { ledger: "canton-3.5", registry: "splice-0.7" } as const;
const spec = loadSpec(release, { hasAdditionalOperations: true });

const counts = (operations: CoverageCounts["operations"], given: Partial<CoverageCounts> = {}): CoverageCounts => ({
  profile: release,
  exchanges: 1,
  unmatched: 0,
  operations,
  clientRules: {},
  ...given,
});
const users = (statuses: Record<string, number>, codes: Record<string, number> = {}) =>
  counts({ getV2Users: { statuses, codes } });

test("adds the counts of processes", () => {
  const all = [
    users({ 200: 1, 400: 1 }, { INVALID_ARGUMENT: 1 }),
    counts(
      { getV2Users: { statuses: { 200: 2 }, codes: {} } },
      { clientRules: { "json-bodies": { exercised: 2, broken: 1 } } },
    ),
  ];
  const report = coverageReport(all, [spec]);
  expect(report.exchanges).toBe(2);
  const found = report.operations.find(({ operationId }) => operationId === "getV2Users");
  expect(found).toMatchObject({
    statuses: { 200: 3, 400: 1 },
    codes: { INVALID_ARGUMENT: 1 },
    neverSeen: ["another error"],
  });
  expect(report.errorCodes.find(({ code }) => code === "INVALID_ARGUMENT")?.count).toBe(1);
});

test("expects the operations of the spec, and of the others those that were called", () => {
  const { kinds, operations } = coverageReport([counts({ getV2Version: { statuses: { 200: 1 }, codes: {} } })], [spec]);
  expect(kinds.operations).toEqual({ seen: 1, expected: 10 });
  expect(operations.map(({ operationId }) => operationId)).not.toContain("getV2Idps-idp-id");
});

test("expects the documented statuses of called operations, and any other error where one is documented", () => {
  const { kinds } = coverageReport([users({ 200: 1, 503: 1 })], [spec]);
  expect(kinds.statuses).toEqual({ seen: 2, expected: 3 });
  expect(coverageReport([users({ 0: 1 })], [spec]).kinds.statuses).toEqual({ seen: 0, expected: 3 });
});

test("expects the error codes that the profiles send, and none without a call of the ledger", () => {
  const codesIn = (profile: ProfileNames) =>
    coverageReport([{ ...users({ 200: 1 }), profile }], [loadSpec(profile)]).errorCodes.map(({ code }) => code);
  expect(codesIn(release)).toContain("USER_NOT_FOUND");
  expect(codesIn(release)).not.toContain("PERMISSION_DENIED");
  expect(codesIn({ ledger: "spec", registry: "spec" })).toContain("PERMISSION_DENIED");
  const lookup = counts({ getTransferFactory: { statuses: { 200: 1 }, codes: {} } });
  const { kinds } = coverageReport([lookup], [spec]);
  expect(kinds["error-codes"]).toEqual({ seen: 0, expected: 0 });
  expect(percentOf({ kinds }, "error-codes")).toBe(100);
});

test("expects the client rules that concern the called operations", () => {
  const clientRules = { "page-tokens-from-pages": { exercised: 1, broken: 0 } };
  const report = coverageReport([{ ...users({ 200: 1 }), clientRules }], [spec]);
  const rules = report.clientRules.map(({ rule }) => rule);
  expect(rules).toContain("page-tokens-from-pages");
  expect(rules).not.toContain("executed-by-preparing-user");
  expect(report.kinds["client-rules"].seen).toBe(1);
});

test("names what no test met, with a remedy", () => {
  const lookup = counts({ getTransferFactory: { statuses: { 200: 1, 400: 1 }, codes: {} } });
  const missed = neverSeenIn(coverageReport([lookup, users({ 400: 1, 404: 1 })], [spec]));
  expect(missed).toContainEqual({
    text: "No test meets 404 or 409 of getTransferFactory.",
    remedy: 'Try fault("getTransferFactory", { status: 409 }).',
  });
  expect(missed).toContainEqual({
    text: "No test meets 200 of getV2Users.",
    remedy: "Send a request that succeeds.",
  });
  const [conflict] = missed.filter(({ text }) => text.startsWith("No test meets 409 with ACCESS_TOKEN_EXPIRED"));
  expect(conflict?.remedy).toBe('Try fault("getV2Users", { error: "ACCESS_TOKEN_EXPIRED" }).');
  expect(missed.map(({ text }) => text)).toContain("No test exercises the client rule conflict-invalidates-context.");
  expect(missed.at(-1)?.text).toMatch(/^No test calls /);
});
