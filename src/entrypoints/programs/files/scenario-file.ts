import { loadScenario, type Scenario, type ScenarioOverrides } from "../../../scenarios/files/load-scenario.ts";
import { filesFrom } from "../../library/files.ts";
import type { ProgramCaller } from "../caller.ts";
import { errorOfFiles } from "./error-of-files.ts";
import { type NamedFile, namedFile } from "./named-file.ts";

/** A caller with the folder that relative names start from. */
type InFolder = Pick<ProgramCaller, "folder">;

/** Loads a scenario. Throws a UserError with all its problems. */
export function loadScenarioFile(file: string, { folder }: InFolder, overrides: ScenarioOverrides = {}): Scenario {
  const result = loadScenario(file, filesFrom(folder), overrides);
  if (result.type === "loaded") return result.scenario;
  throw errorOfFiles(result.problems);
}

/** All files from which a scenario was read. */
export function filesOfScenario({ files }: Scenario, caller: InFolder): readonly NamedFile[] {
  return files.map((file) => namedFile(file, caller));
}
