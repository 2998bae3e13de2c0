import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { Checker } from "../engine/checker.ts";
import { Verdict } from "../engine/verdict.ts";

/** A request that vets package `a`, and a response in which nothing was vetted before. */
function vetting(more: object, synchronizerId = "s::1220ab"): Exchange {
  const state = (packages: readonly string[]) => ({
    packages: packages.map((packageId) => ({ packageId })),
    participantId: "p::1220ab",
    synchronizerId,
    topologySerial: packages.length + 1,
  });
  const changes = [{ operation: { Vet: { value: { packages: [{ packageId: "a" }] } } } }];
  const responseBody = { pastVettedPackages: state([]), newVettedPackages: state(["a"]) };
  const headers = [["Host", "h"]] as const;
  return exchangeOf({ target: "/v2/package-vetting", headers, body: { changes, ...more }, responseBody });
}

/** The violated rules about vetting. */
function violated(profile: "spec" | "canton-3.5", exchanges: readonly Exchange[]): readonly string[] {
  const spec = loadSpec({ ledger: profile, registry: "spec" }, { hasAdditionalOperations: true });
  const verdict = new Verdict(spec);
  const options = {
    spec,
    level: "release",
    areAdditionalOperationsChecked: true,
    order: "one-by-one",
    isExclusive: true,
  } as const;
  const checker = new Checker(options, verdict);
  for (const one of exchanges) checker.add(one);
  checker.end();
  const { violations } = verdict.summary();
  return violations
    .filter(({ outcome, rule }) => outcome === "FAIL" && rule.startsWith("vetting-"))
    .map(({ rule }) => rule);
}

test("dry_run is a dry run in profile spec, and an unknown member in a release", () => {
  const twice = [vetting({ dry_run: true }), vetting({ dry_run: true })];
  expect(violated("spec", twice)).toEqual([]);
  expect(violated("canton-3.5", twice)).toEqual(["vetting-state-follows"]);
});

test("synchronizer_id names the synchronizer in profile spec only", () => {
  const elsewhere = [vetting({ synchronizer_id: "other::1220ab" })];
  expect(violated("spec", elsewhere)).toEqual(["vetting-where-requested"]);
  expect(violated("canton-3.5", elsewhere)).toEqual([]);
});
