import { isJsonObject } from "../../foundation/json/json.ts";
import { checkSchema } from "../../scenarios/files/check-schema.ts";
import { type FileReader, loadScenario, readFixture } from "../../scenarios/files/load-scenario.ts";
import { formatProblem, type Problem } from "../../scenarios/files/problem.ts";
import { readYaml } from "../../scenarios/files/read-yaml.ts";
import { isConfig, isConfigName, readConfig } from "../config/read-config.ts";
import { filesFrom } from "../library/files.ts";
import { isQuiet, quietFlag } from "./flags/quiet-flag.ts";
import type { Command, Environment, Options } from "./options.ts";
import { exitCodes, UserError } from "./user-error.ts";

export const validate: Command = {
  name: "validate",
  usage: "validate FILE… [flags]",
  flags: [quietFlag],
  examples: ["understudy validate scenarios/*.yaml", "understudy validate understudy.config.yaml target.yaml"],
  run: runValidate,
};

async function runValidate(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0)
    throw new UserError("validate needs at least one file: understudy validate my.arazzo.yaml");
  const results = options.positionals.map((file) => ({
    file,
    problems: problemsIn(file, options.folder, filesFrom(options.folder)),
  }));
  const shown = new Set<string>();
  for (const { file, problems } of results) {
    if (options.flag("json")) environment.print(JSON.stringify({ event: "validated", file, problems }));
    else if (problems.length > 0) printNew(problems.map(formatProblem), shown, environment);
    else if (!isQuiet(options)) environment.print(`${file}: valid`);
  }
  return results.some(({ problems }) => problems.length > 0) ? exitCodes.usage : exitCodes.fine;
}

/** Prints each problem once: a scenario has the problems of its fixtures, which may be named too. */
function printNew(problems: readonly string[], shown: Set<string>, { print }: Environment): void {
  for (const problem of new Set(problems).difference(shown)) {
    print(problem);
    shown.add(problem);
  }
}

/** The problems of a file. Members that only one kind of file has determine its kind. */
function problemsIn(file: string, folder: string, files: FileReader): readonly Problem[] {
  const config = () => {
    const result = readConfig({ name: file, folder, variables: {}, files });
    return result?.type === "invalid" ? result.problems : [];
  };
  if (isConfigName(file)) return config();
  const text = files.read(file);
  if (text === undefined) return invalid(readFixture("ledger", file, files));
  const read = readYaml(file, text);
  if (read.type === "invalid") return read.problems;
  const has = (member: string) => isJsonObject(read.source.value) && Object.hasOwn(read.source.value, member);
  if (has("arazzo") || has("workflows")) return invalid(loadScenario(file, files));
  if (has("participantId") || has("users") || has("synchronizers")) return invalid(readFixture("ledger", file, files));
  if (has("admin") || has("factory")) return invalid(readFixture("registry", file, files));
  if (isConfig(read.source.value)) return config();
  if (has("ledger") || has("tokens") || has("hooks")) return checkSchema("target", read.source);
  if (has("log"))
    return [{ file, line: 1, problem: "the file is a recording (HAR)", advice: "Check it with understudy check." }];
  if (text.trim() === "")
    return [
      { file, line: 1, problem: "the file is empty", advice: "Write a scenario, a fixture or a target into it." },
    ];
  const problem = "unknown kind of file";
  return [
    {
      file,
      line: 1,
      problem,
      advice:
        "A scenario has the member arazzo, a ledger fixture participantId, a registry fixture admin, a target file ledger or tokens, a config serve, check, record, test or targets.",
    },
  ];
}

function invalid(result: ReturnType<typeof loadScenario> | ReturnType<typeof readFixture>): readonly Problem[] {
  return result.type === "invalid" ? result.problems : [];
}
