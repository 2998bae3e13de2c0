import { probes } from "../../../src/checker/probes/index.ts";
import { unmetRequirements } from "../../../src/checker/probing/required-operations.ts";
import { impliedRegistryProfile, loadSpec } from "../../../src/foundation/spec/spec.ts";
import { probe, probedStub } from "../../acceptance/_probed.ts";
import type { Row } from "./rows.ts";

/** What a check of a live server with every flag reports: rules that fail, rules that warn, and operations without success. */
export async function foundIn(plant: Row[1], profile: "spec" | "canton-3.5"): Promise<readonly string[]> {
  const stub = await probedStub({ ledger: profile });
  const handler = plant(stub.handler, stub.tokens.administrator ?? "");
  const { summary, reports } = await probe({ ...stub, handler }, { allowed: "destructive" });
  const found = (wanted: string) =>
    summary.violations.flatMap(({ rule, outcome }) => (outcome === wanted ? [`${outcome} ${rule}`] : []));
  const registry = impliedRegistryProfile(profile);
  const spec = loadSpec({ ledger: profile, registry }, { hasAdditionalOperations: true });
  const apis = new Set(["ledger", "registry"] as const);
  const unmet = unmetRequirements(reports, summary, {
    required: undefined,
    apis,
    allowed: "destructive",
    probes,
    spec,
  });
  return [...new Set([...found("FAIL"), ...found("WARN"), ...unmet.map(({ subject }) => `FAIL ${subject}`)])];
}
