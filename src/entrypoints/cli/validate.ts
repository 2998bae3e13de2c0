import { isJsonObject } from "../../foundation/json/json.ts";
import { checkSchema } from "../../scenarios/files/check-schema.ts";
import { type FileReader, loadScenario, readFixture } from "../../scenarios/files/load-scenario.ts";
import { formatMistake, type Mistake } from "../../scenarios/files/problem.ts";
import { readYaml } from "../../scenarios/files/read-yaml.ts";
import { filesFrom } from "../library/files.ts";
import type { Command, Environment, Options } from "./options.ts";
import { exitCodes, UserError } from "./user-error.ts";

export const validate: Command = {
  name: "validate",
  usage: "validate FILE…",
  flags: [],
  run: runValidate,
};

async function runValidate(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0) throw new UserError("validate needs at least one file.");
  const results = options.positionals.map((file) => ({ file, mistakes: mistakesIn(file, filesFrom(options.folder)) }));
  for (const { file, mistakes } of results) {
    if (options.flag("json")) environment.print(JSON.stringify({ event: "validated", file, mistakes }));
    else environment.print(mistakes.length === 0 ? `${file}: fine` : mistakes.map(formatMistake).join("\n"));
  }
  return results.some(({ mistakes }) => mistakes.length > 0) ? exitCodes.usage : exitCodes.fine;
}

/** What a file is, told by a member that only its kind has. */
function mistakesIn(file: string, files: FileReader): readonly Mistake[] {
  const text = files.read(file);
  if (text === undefined) return mistaken(readFixture("ledger", file, files));
  const read = readYaml(file, text);
  if (read.type === "mistaken") return read.mistakes;
  const has = (member: string) => isJsonObject(read.source.value) && Object.hasOwn(read.source.value, member);
  if (has("arazzo") || has("workflows")) return mistaken(loadScenario(file, files));
  if (has("participantId") || has("users") || has("synchronizers")) return mistaken(readFixture("ledger", file, files));
  if (has("admin") || has("factory")) return mistaken(readFixture("registry", file, files));
  if (has("ledger") || has("tokens") || has("hooks")) return checkSchema("target", read.source);
  const problem = "the file is neither a scenario nor a ledger fixture nor a registry fixture nor a target";
  return [
    {
      file,
      line: 1,
      problem,
      advice:
        "A scenario has arazzo, a ledger fixture participantId, a registry fixture admin, a target ledger or tokens.",
    },
  ];
}

function mistaken(result: ReturnType<typeof loadScenario> | ReturnType<typeof readFixture>): readonly Mistake[] {
  return result.type === "mistaken" ? result.mistakes : [];
}
