import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { diskFiles } from "../src/entrypoints/library/files.ts";
import { type HostScenarioOptions, hostScenario } from "../src/entrypoints/library/host-scenario.ts";
import type { Handler } from "../src/foundation/http/handler.ts";
import { impliedRegistryProfile } from "../src/foundation/spec/spec.ts";
import type { FileReader } from "../src/scenarios/files/file-reader.ts";
import { loadScenario, type Scenario, type ScenarioOverrides } from "../src/scenarios/files/load-scenario.ts";
import { formatProblem } from "../src/scenarios/files/problem.ts";
import { runScenario } from "../src/scenarios/files/run-scenario.ts";
import type { StepResult } from "../src/scenarios/files/run-step.ts";
import { asLoopback, loopbackAccess } from "../src/stub/control/access.ts";
import { withControl } from "../src/stub/control/control.ts";
import type { Hosting } from "../src/stub/hosting/hosting.ts";

const folder = fileURLToPath(new URL("../scenarios/", import.meta.url));

/** The files of all scenarios of the repository, by name. */
export const scenarioFiles: readonly string[] = readdirSync(folder).filter((file) => file.endsWith(".arazzo.yaml"));

/** A scenario without problems: one of the repository by its name, with or without its ending, or a file. */
export function scenarioOf(name: string, overrides: ScenarioOverrides = {}, files: FileReader = diskFiles): Scenario {
  const [, bundled] = /^([\w-]+)(?:\.arazzo\.yaml)?$/.exec(files === diskFiles ? name : "") ?? [];
  const result = loadScenario(bundled === undefined ? name : `${folder}${bundled}.arazzo.yaml`, files, overrides);
  if (result.type === "invalid") throw new Error(result.problems.map(formatProblem).join("\n"));
  return result.scenario;
}

/** The stub of a scenario in a profile; wall time stands, and no delay takes time. */
export function hostingOf(
  scenario: Scenario,
  ledger: string = scenario.profile,
  more: Partial<HostScenarioOptions> = {},
): Hosting {
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  return hostScenario(scenario, { profile, wallNowMs: () => 0, sleep: async () => undefined, ...more });
}

/** The handler of a stub with its control API; all requests come from this machine. */
export function controlled(hosting: Hosting): Handler {
  return asLoopback(withControl(hosting, loopbackAccess));
}

/** Runs the steps of a scenario, those on the control API included. */
export function stepsOf(
  scenario: Scenario,
  handler: Handler = controlled(hostingOf(scenario)),
  nowMs: () => number = () => 0,
): Promise<readonly StepResult[]> {
  return runScenario(scenario, { handler, hasControl: true, nowMs });
}
