import { impliedRegistryProfile, loadSpec } from "../../../src/foundation/spec/spec.ts";
import { probe, probedStub } from "../../acceptance/_probed.ts";
import { operationsWithoutSuccess } from "../sentences/_detect.ts";
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
  const unmet = operationsWithoutSuccess(reports, summary, spec);
  return [...new Set([...found("FAIL"), ...found("WARN"), ...unmet.map((subject) => `FAIL ${subject}`)])];
}
