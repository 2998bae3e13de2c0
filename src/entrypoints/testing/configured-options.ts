import { formatProblem } from "../../scenarios/files/problem.ts";
import { besideConfig, type ConfigPlace, readConfig, secretOf } from "../config/read-config.ts";
import { filesFrom } from "../library/files.ts";
import type { UnderstudyTestOptions } from "./end-of-test.ts";

/** The options with those of the config file for members that they do not have. Throws an Error that lists the problems of the file. */
export function withConfiguredOptions(options: UnderstudyTestOptions): UnderstudyTestOptions {
  return { ...configuredOptions({ folder: process.cwd(), variables: process.env }), ...options };
}

/** The options in the section `test` of the config file, which is in the folder, or which `UNDERSTUDY_CONFIG` names. */
export function configuredOptions({
  folder,
  variables,
}: Pick<ConfigPlace, "folder" | "variables">): UnderstudyTestOptions {
  const name = variables["UNDERSTUDY_CONFIG"] || undefined;
  const result = readConfig({ name, folder, variables, files: filesFrom(folder) });
  if (result === undefined) return {};
  if (result.type === "invalid") throw new Error(result.problems.map(formatProblem).join("\n"));
  const { source, value } = result.config;
  const { scenario, start, jwtSecret, adminToken, ...others } = value.test ?? {};
  return {
    ...others,
    ...(scenario === undefined ? {} : { scenario: besideConfig(source, scenario) }),
    ...(start === undefined ? {} : { start: start === "now" ? start : new Date(start) }),
    ...secret("jwtSecret", jwtSecret),
    ...secret("adminToken", adminToken),
  };

  function secret(option: string, given: typeof jwtSecret): Readonly<Record<string, string>> {
    const found = secretOf(given, variables);
    if (given !== undefined && found === undefined)
      throw new Error(`test.${option} in ${source.name} names an environment variable that is not set.`);
    return found === undefined ? {} : { [option]: found };
  }
}
