import { formatJson } from "../../../foundation/json/json.ts";
import { loadSpec } from "../../../foundation/spec/spec.ts";
import { type WrittenPact, writePact } from "../../pact/write-pact.ts";
import { filesOfScenario, loadScenarioFile } from "../../programs/files/scenario-file.ts";
import { writeWhole } from "../../programs/files/write-whole.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { version } from "../../programs/version.ts";
import { fileOf } from "../flags/file-of.ts";
import { checkNew, forceFlag } from "../flags/force-flag.ts";
import { namedProfile, profileFlag, profileOf, registryProfileFlag } from "../flags/profile-flags.ts";
import { type Environment, type Options, type Subcommand, textFlag } from "../options.ts";
import { playScenario } from "../play-scenario.ts";
import { checkProfileSupported } from "./check-profile-supported.ts";

export const pactWrite: Subcommand = {
  name: "pact write",
  usage: "pact write SCENARIO [--out FILE] [flags]",
  summary: "Play a scenario and write it as a Pact of version 4 with one interaction per step.",
  flags: [
    textFlag("out", "FILE", "write the Pact to this file instead of printing it"),
    forceFlag,
    textFlag("consumer", "NAME", "name of the consumer (default: the scenario's workflow)"),
    textFlag("provider", "NAME", "name of the provider (default canton)"),
    profileFlag("release to play (default: the scenario's, else spec)"),
    registryProfileFlag,
  ],
  examples: [
    "understudy pact write scenarios/quickstart.arazzo.yaml",
    "understudy pact write scenarios/quickstart.arazzo.yaml --consumer wallet --out wallet.json",
  ],
  run: runWrite,
};

async function runWrite(options: Options, environment: Environment): Promise<number> {
  const [file, ...others] = options.positionals;
  if (file === undefined || others.length > 0)
    throw new UserError("pact write takes exactly one scenario: understudy pact write my.arazzo.yaml");
  const scenario = loadScenarioFile(file, options, { profile: namedProfile(options) });
  const out = fileOf("out", options);
  // An existing Pact can be written by hand, so it is replaced as a whole or not at all.
  if (out !== undefined) checkNew(out, filesOfScenario(scenario, options), options);
  const profile = profileOf(options, scenario.profile);
  checkProfileSupported(scenario, profile.ledger);
  const result = await playScenario(scenario, profile, options);
  if (result.type === "ended")
    throw new UserError(
      `${file}: the step ${result.step.stepId} does not pass in profile ${profile.ledger}: ${result.step.reason}. Correct it first: understudy run ${file}.`,
      exitCodes.findings,
    );
  const written = writePact({
    scenario,
    steps: result.played.results,
    spec: loadSpec(profile, { hasAdditionalOperations: true }),
    consumer: options.text("consumer") ?? scenario.main.id,
    provider: options.text("provider") ?? "canton",
    version: version(),
  });
  if (written.interactions === 0)
    throw new UserError(
      `${file} has no step that can be written to a Pact. Add a step that calls an operation and gets a whole response.`,
    );
  if (out === undefined) environment.print(formatJson(written.pact, 2));
  else writeWhole(out, `${formatJson(written.pact, 2)}\n`, { isReplacing: options.flag("force") });
  report(written, out?.name, options, environment);
  return exitCodes.fine;
}

function report(
  { interactions, skipped }: WrittenPact,
  out: string | undefined,
  options: Options,
  environment: Environment,
): void {
  if (options.flag("json") && out !== undefined) {
    environment.print(JSON.stringify({ event: "written", file: out, interactions, skipped }));
    return;
  }
  const print = out === undefined ? environment.printError : environment.print;
  if (out !== undefined) print(`wrote ${out}: ${interactions} ${interactions === 1 ? "interaction" : "interactions"}`);
  for (const { stepId, reason } of skipped) print(`skipped step ${stepId}: ${reason}`);
}
