import { loadScenario, type Scenario, type ScenarioOverrides } from "../../../scenarios/files/load-scenario.ts";
import { formatProblem } from "../../../scenarios/files/problem.ts";
import { filesFrom } from "../../library/files.ts";
import type { Options } from "../options.ts";
import { UserError } from "../user-error.ts";
import { type NamedFile, namedFile } from "./named-file.ts";

/** Loads a scenario. Throws a UserError with all its problems. */
export function loadScenarioFile(
  file: string,
  { folder }: Pick<Options, "folder">,
  overrides: ScenarioOverrides = {},
): Scenario {
  const result = loadScenario(file, filesFrom(folder), overrides);
  if (result.type === "loaded") return result.scenario;
  throw new UserError(result.problems.map(formatProblem).join("\n"));
}

/** All files from which a scenario was read. */
export function filesOfScenario({ files }: Scenario, options: Options): readonly NamedFile[] {
  return files.map((file) => namedFile(file, options));
}
