import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { checkTrace } from "../engine/checker.ts";
import type { VerdictSummary } from "../engine/verdict.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });

function exchange(method: string, target: string, body: string, status: number, response: string): Exchange {
  return exchangeOf({ method, target, headers: [["Host", "h"]], body, status, responseBody: response });
}

/** A vetting of package `a` that responds with these packages as previously vetted. */
function vetting(past: readonly string[], dryRun: boolean): Exchange {
  const state = (packages: readonly string[]) => ({
    packages: packages.map((packageId) => ({ packageId })),
    participantId: "p::1220ab",
    synchronizerId: "s::1220ab",
    topologySerial: packages.length + 1,
  });
  const changes = [{ operation: { Vet: { value: { packages: [{ packageId: "a" }] } } } }];
  const response = { pastVettedPackages: state(past), newVettedPackages: state([...new Set([...past, "a"])]) };
  return exchange("POST", "/v2/package-vetting", JSON.stringify({ changes, dryRun }), 200, JSON.stringify(response));
}

const refused = exchange(
  "POST",
  "/v2/package-vetting",
  vetting([], true).request.body.text(),
  404,
  '{"code":"UNRESOLVED_VETTING_REFERENCE","cause":"x","context":{},"errorCategory":11}',
);

function checked(exchanges: readonly Exchange[]): VerdictSummary {
  const steps = exchanges.map((exchange) => ({ exchange }));
  return checkTrace(steps, { spec, areAdditionalOperationsChecked: true }).summary();
}

const failures = (exchanges: readonly Exchange[]) =>
  checked(exchanges)
    .violations.filter(({ outcome }) => outcome === "FAIL")
    .map(({ rule }) => rule);

const changed = [vetting([], true), vetting(["dar"], true)] as const;

test.each([
  ["the upload of a DAR", "POST", "/v2/dars?vetAllPackages=true", 200, "{}"],
  ["the older upload", "POST", "/v2/packages", 200, "{}"],
  ["an undocumented operation", "DELETE", "/v2/packages/dar", 204, ""],
  ["a removal that may still be in progress", "DELETE", "/v2/dars/dar", 503, ""],
])("%s between two vettings may change the vetting state", (_name, method, target, status, response) => {
  expect(failures(changed)).toEqual(["vetting-state-follows"]);
  const upload = exchange(method, target, "PK\u0003\u0004", status, response);
  expect(failures([changed[0], upload, changed[1]])).toEqual([]);
});

test.each([
  ["a rejected upload", "POST", 400],
  ["a list of packages", "GET", 200],
])("%s does not change the vetting state", (_name, method, status) => {
  const other = exchange(method, "/v2/packages", "", status, '{"packageIds":[]}');
  expect(failures([changed[0], other, changed[1]])).toContain("vetting-state-follows");
});

test("does not compare a dry run and a real run across an upload", () => {
  const upload = exchange("POST", "/v2/dars", "PK", 200, "{}");
  expect(failures([refused, vetting([], false)])).toContain("dry-run-raises-errors");
  expect(failures([refused, upload, vetting([], false)])).toEqual([]);
});

test("counts an unlisted change as outside the spec and does not check it", () => {
  const summary = checked([exchange("DELETE", "/v2/dars/dar", "", 500, "<html>")]);
  expect([summary.unsupported, summary.violations]).toEqual([1, []]);
});
