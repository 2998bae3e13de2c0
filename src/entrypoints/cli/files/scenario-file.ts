import { loadScenario, type Scenario, type ScenarioOverrides } from "../../../scenarios/files/load-scenario.ts";
import { formatProblem } from "../../../scenarios/files/problem.ts";
import { filesFrom } from "../../library/files.ts";
import type { Options } from "../options.ts";
import { UserError } from "../user-error.ts";
import { type NamedFile, namedFile } from "./named-file.ts";

/** Loads a scenario or throws a UserError with every problem in it. */
export function load(file: string, { folder }: Pick<Options, "folder">, overrides: ScenarioOverrides = {}): Scenario {
  const result = loadScenario(file, filesFrom(folder), overrides);
  if (result.type === "loaded") return result.scenario;
  throw new UserError(result.problems.map(formatProblem).join("\n"));
}

/** All files that a scenario was read from. */
export function filesOf({ files }: Scenario, options: Options): readonly NamedFile[] {
  return files.map((file) => namedFile(file, options));
}
