import { type WrittenPact, writePact } from "../../src/entrypoints/pact/write-pact.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { scenarioOf, stepsOf } from "../_scenario.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" }, { hasAdditionalOperations: true });

/** What `understudy pact write` writes of a scenario, without a process for each. */
export async function pactOf(file: string): Promise<WrittenPact> {
  const scenario = scenarioOf(file);
  const steps = await stepsOf(scenario);
  return writePact({ scenario, steps, spec, consumer: "wallet", provider: "canton", version: "1" });
}
