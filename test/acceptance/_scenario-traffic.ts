import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { controlled, hostingOf, scenarioOf, stepsOf } from "../_scenario.ts";

/** The exchanges of a scenario of the repository in a stub of that profile, a millisecond apart. */
export async function trafficOf(file: string, ledger: string): Promise<readonly Exchange[]> {
  const scenario = scenarioOf(file);
  let nowMs = 0;
  const steps = await stepsOf(scenario, controlled(hostingOf(scenario, ledger)), () => {
    nowMs += 1;
    return nowMs;
  });
  return steps.flatMap(({ exchange }) => exchange ?? []);
}
