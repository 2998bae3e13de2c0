import { isJsonObject, type JsonObject } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import type { FileReader } from "../../scenarios/files/file-reader.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { readYaml } from "../../scenarios/files/read-yaml.ts";
import { runScenario } from "../../scenarios/files/run-scenario.ts";
import type { StepResult } from "../../scenarios/files/run-step.ts";
import { asLoopback, loopbackAccess } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import { defaultWorldId } from "../../stub/hosting/world-id.ts";
import { type PlayedScenario, playedSteps } from "../export/played-scenario.ts";
import { filesFrom } from "../library/files.ts";
import { hostScenario } from "../library/host-scenario.ts";
import { version } from "../programs/version.ts";
import type { Options } from "./options.ts";

/** A played scenario, or the step that did not pass. */
type PlayResult =
  | { readonly type: "played"; readonly played: PlayedScenario }
  | { readonly type: "ended"; readonly step: StepResult };

/** Plays a scenario in the process with virtual time. The same scenario and profile give the same result. */
export async function playScenario(
  scenario: Scenario,
  profile: ProfileNames,
  { folder }: Pick<Options, "folder">,
): Promise<PlayResult> {
  const hosting = hostScenario(scenario, {
    profile,
    clockMode: { type: "frozen" },
    wallNowMs: () => 0,
    sleep: async () => undefined,
  });
  const nowMs = () => hosting.worlds.get(defaultWorldId)?.world.elapse().nowMs ?? 0;
  const handler = asLoopback(withControl(hosting, loopbackAccess));
  const results = await runScenario(scenario, {
    handler,
    hasControl: true,
    nowMs,
  });
  const failed = results.find(({ outcome }) => outcome !== "passed" && outcome !== "handled");
  if (failed !== undefined) return { type: "ended", step: failed };
  const info = infoOf(scenario.file, filesFrom(folder));
  return { type: "played", played: playedScenario({ scenario, info }, profile, results) };
}

interface ScenarioWithInfo {
  readonly scenario: Scenario;
  readonly info: JsonObject;
}

function playedScenario(
  { scenario, info }: ScenarioWithInfo,
  profile: ProfileNames,
  results: readonly StepResult[],
): PlayedScenario {
  const { file, main, initial } = scenario;
  const workflow = main.value;
  return {
    title: textOf(info["title"]) || main.id,
    description: textOf(info["description"]),
    file: file.replaceAll("\\", "/"),
    profile,
    world: isJsonObject(workflow["x-understudy"]) ? workflow["x-understudy"] : {},
    startMs: initial.nowMs,
    scenario,
    results,
    steps: playedSteps(results),
    version: version(),
  };
}

/** The member `info` of the scenario file. */
function infoOf(file: string, files: FileReader): JsonObject {
  const read = readYaml(file, files.read(file) ?? "");
  const root = read.type === "read" && isJsonObject(read.source.value) ? read.source.value : {};
  return isJsonObject(root["info"]) ? root["info"] : {};
}
