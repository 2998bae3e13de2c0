import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";

const folder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

export const scenarioFiles: readonly string[] = readdirSync(folder).filter((file) => file.endsWith(".arazzo.yaml"));

/** The exchanges of a scenario of the repository in a stub of that profile, a millisecond apart. */
export async function trafficOf(file: string, ledger: string): Promise<readonly Exchange[]> {
  const result = loadScenario(`${folder}${file}`, diskFiles);
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  const hosting = hostScenario(result.scenario, { profile, wallNowMs: () => 0, sleep: async () => {} });
  const handler = withControl(hosting, accessBy("localhost"));
  let nowMs = 0;
  const steps = await runScenario(result.scenario, {
    handler: (request) => handler({ ...request, headers: [["Host", "localhost"], ...request.headers] }),
    hasControl: true,
    nowMs: () => {
      nowMs += 1;
      return nowMs;
    },
  });
  return steps.flatMap(({ exchange }) => exchange ?? []);
}
