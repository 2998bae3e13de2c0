import { diskFiles } from "../library/files.ts";
import { loadScenario, readFixture } from "../scenario/load-scenario.ts";
import { formatMistake, type Mistake } from "../scenario/mistake.ts";
import type { Command, Environment, Options } from "./options.ts";
import { exitCodes, UserError } from "./user-error.ts";

export const validate: Command = {
  name: "validate",
  usage: "validate FILE…",
  summary: "Checks scenarios and fixtures and reports every mistake with file, line and what to do.",
  flags: [],
  run: runValidate,
};

async function runValidate(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0) throw new UserError("validate needs at least one file.");
  const results = options.positionals.map((file) => ({ file, mistakes: mistakesIn(file) }));
  for (const { file, mistakes } of results) {
    if (options.flag("json")) environment.print(JSON.stringify({ event: "validated", file, mistakes }));
    else environment.print(mistakes.length === 0 ? `${file}: fine` : mistakes.map(formatMistake).join("\n"));
  }
  return results.some(({ mistakes }) => mistakes.length > 0) ? exitCodes.usage : exitCodes.fine;
}

function mistakesIn(file: string): readonly Mistake[] {
  const text = diskFiles.read(file) ?? "";
  if (/^["{\s]*arazzo["\s]*:/m.test(text)) {
    const scenario = loadScenario(file, diskFiles);
    return scenario.type === "mistaken" ? scenario.mistakes : [];
  }
  const fixture = readFixture(/^["{\s]*participantId["\s]*:/m.test(text) ? "ledger" : "registry", file, diskFiles);
  return fixture.type === "mistaken" ? fixture.mistakes : [];
}
