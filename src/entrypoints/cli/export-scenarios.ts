import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { profileNamesOf } from "../../foundation/spec/spec.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { isPlayable, type Scenario } from "../../scenarios/files/load-scenario.ts";
import { type Renderer, renderers } from "../export/renderers.ts";
import { type NamedFile, namedFile } from "../programs/files/named-file.ts";
import { loadScenarioFile } from "../programs/files/scenario-file.ts";
import { writeWhole } from "../programs/files/write-whole.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { checkNew, forceFlag } from "./flags/force-flag.ts";
import { namedProfile, profileFlag, profileOf, registryProfileFlag } from "./flags/profile-flags.ts";
import { type Command, choiceFlag, type Environment, type Options, textFlag } from "./options.ts";
import { playScenario } from "./play-scenario.ts";

const formats = Object.keys(renderers);

export const exportScenarios: Command = {
  name: "export",
  usage: "export SCENARIO… [--to FORMAT] [--out FILE|FOLDER]",
  flags: [
    choiceFlag("to", "FORMAT", formats, `${formats.join(", ")} (default markdown)`),
    textFlag("out", "FILE|FOLDER", "write to this file, or for several scenarios to this folder (default: print)"),
    forceFlag,
    profileFlag("release to play (default: the scenario's)"),
    registryProfileFlag,
  ],
  examples: [
    "understudy export scenarios/quickstart.arazzo.yaml",
    "understudy export scenarios/quickstart.arazzo.yaml --to curl --out quickstart.sh",
  ],
  run: runExport,
};

async function runExport(options: Options, environment: Environment): Promise<number> {
  const files = options.positionals;
  if (files.length === 0) throw new UserError("export needs at least one scenario: understudy export my.arazzo.yaml");
  const renderer = rendererOf(options.text("to") ?? "markdown");
  const targets = targetsOf(files, renderer, options);
  const scenarios = files.map((file) => loadScenarioFile(file, options, { profile: namedProfile(options) }));
  const texts: string[] = [];
  for (const scenario of scenarios) texts.push(await rendered(scenario, renderer, options));
  for (const [index, text] of texts.entries()) {
    const target = targets[index];
    if (target === undefined)
      environment.print(options.flag("json") ? JSON.stringify({ event: "exported", text }) : text.trimEnd());
    else {
      writeWhole(target, text, { isReplacing: options.flag("force") });
      if (options.flag("json")) environment.print(JSON.stringify({ event: "exported", file: target.name }));
      else environment.printError(`wrote ${target.name}`);
    }
  }
  return exitCodes.fine;
}

function rendererOf(format: string): Renderer {
  const renderer = Object.hasOwn(renderers, format) ? renderers[format] : undefined;
  if (renderer === undefined) throw new UserError(`--to ${format}: unknown value. ${advise(format, formats)}`);
  return renderer;
}

/** The files to write; empty if the export is printed. */
function targetsOf(files: readonly string[], { extension }: Renderer, options: Options): readonly NamedFile[] {
  const out = options.text("out");
  if (out === undefined) {
    if (files.length > 1) throw new UserError("export writes several scenarios to a folder: --out FOLDER");
    return [];
  }
  const isFolder = statSync(namedFile(out, options).path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (files.length > 1 && !isFolder)
    throw new UserError(
      `--out ${out} is not a folder. Several scenarios need a folder: create it, or name another one.`,
    );
  const names = isFolder ? files.map((file) => join(out, `${stemOf(file)}${extension}`)) : [out];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UserError(`Two scenarios would be written to ${twice}. Export them to different folders.`);
  const targets = names.map((name) => namedFile(name, options));
  const inputs = files.map((file) => namedFile(file, options));
  for (const target of targets) checkNew(target, inputs, options);
  return targets;
}

function stemOf(file: string): string {
  return basename(file).replace(/(?:\.arazzo)?\.(?:ya?ml|json)$/, "");
}

async function rendered(scenario: Scenario, renderer: Renderer, options: Options): Promise<string> {
  if (scenario.placeholder !== undefined)
    throw new UserError(`${scenario.file} is a fixture, which has no steps: there is nothing to export.`);
  const result = await playScenario(
    scenario,
    profileOf(options, namedProfile(options) ?? defaultProfile(scenario)),
    options,
  );
  if (result.type === "played") return renderer.render(result.played);
  const { stepId, reason } = result.step;
  throw new UserError(
    `${scenario.file}: the step ${stepId} does not pass: ${reason ?? ""}. Correct it first: understudy run ${scenario.file}.`,
  );
}

/** The profile that the scenario names, or the first one that it supports. */
function defaultProfile({ profile, profiles, initial }: Scenario): string {
  const supported = (profiles.length > 0 ? profiles : profileNamesOf("ledger")).filter((name) =>
    isPlayable(initial.ledger, name),
  );
  return supported.includes(profile) ? profile : (supported[0] ?? profile);
}
