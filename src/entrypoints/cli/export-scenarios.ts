import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { profileNamesOf } from "../../foundation/spec/spec.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { isPlayable, type Scenario } from "../../scenarios/files/load-scenario.ts";
import { type Renderer, renderers } from "../export/renderers.ts";
import { type NamedFile, namedFile } from "./files/named-file.ts";
import { load } from "./files/scenario-file.ts";
import { checkNew, forceFlag, writeWhole } from "./files/write-whole.ts";
import { namedProfile, profileFlag, profileOf, registryProfileFlag } from "./flags/profile-flags.ts";
import type { Command, Environment, Options } from "./options.ts";
import { playScenario } from "./play-scenario.ts";
import { exitCodes, UserError } from "./user-error.ts";

const forms = Object.keys(renderers);

export const exportScenarios: Command = {
  name: "export",
  usage: "export SCENARIO… [--to FORMAT] [--out FILE|FOLDER]",
  flags: [
    { name: "to", type: "string", value: "FORMAT", help: `${forms.join(", ")} (default markdown)` },
    {
      name: "out",
      type: "string",
      value: "FILE|FOLDER",
      help: "write to this file, or for several scenarios to this folder (default: print the one)",
    },
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
  if (files.length === 0) throw new UserError("export needs at least one scenario.");
  const renderer = rendererOf(options.text("to") ?? "markdown");
  const targets = targetsOf(files, renderer, options);
  const scenarios = files.map((file) => load(file, options, { profile: options.text("profile") }));
  const texts: string[] = [];
  for (const scenario of scenarios) texts.push(await rendered(scenario, renderer, options));
  for (const [index, text] of texts.entries()) {
    const target = targets[index];
    if (target === undefined) environment.print(text.trimEnd());
    else {
      writeWhole(target, text, { isReplacing: options.flag("force") });
      if (options.flag("json")) environment.print(JSON.stringify({ event: "exported", file: target.name }));
      else environment.printError(`wrote ${target.name}`);
    }
  }
  return exitCodes.fine;
}

function rendererOf(form: string): Renderer {
  const renderer = Object.hasOwn(renderers, form) ? renderers[form] : undefined;
  if (renderer === undefined) throw new UserError(`--to ${form} is not known. ${advise(form, forms)}`);
  return renderer;
}

/** Where each goes; nowhere where it is printed. */
function targetsOf(files: readonly string[], { extension }: Renderer, options: Options): readonly NamedFile[] {
  const out = options.text("out");
  if (out === undefined) {
    if (files.length > 1) throw new UserError("export writes several scenarios to a folder: --out FOLDER");
    return [];
  }
  const isFolder = statSync(namedFile(out, options).path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (files.length > 1 && !isFolder)
    throw new UserError(`--out ${out} is no folder, and several scenarios need one. Make it, or name another.`);
  const names = isFolder ? files.map((file) => join(out, `${stemOf(file)}${extension}`)) : [out];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UserError(`Two of the scenarios would be written to ${twice}.`);
  const targets = names.map((name) => namedFile(name, options));
  const inputs = files.map((file) => namedFile(file, options));
  for (const target of targets) checkNew(target, inputs, options);
  return targets;
}

function stemOf(file: string): string {
  return basename(file).replace(/(?:\.arazzo)?\.(?:ya?ml|json)$/, "");
}

async function rendered(scenario: Scenario, renderer: Renderer, options: Options): Promise<string> {
  const play = await playScenario(scenario, profileOf(options, namedProfile(options) ?? ownProfile(scenario)), options);
  if (play.type === "played") return renderer.render(play.played);
  const { stepId, reason } = play.step;
  throw new UserError(
    `${scenario.file} does not pass, so there is nothing to show: ${stepId}: ${reason ?? ""}. understudy run says more.`,
  );
}

/** The profile that the scenario names, or the first in which it holds. */
function ownProfile({ profile, profiles, initial }: Scenario): string {
  const holding = (profiles.length > 0 ? profiles : profileNamesOf("ledger")).filter((name) =>
    isPlayable(initial.ledger, name),
  );
  return holding.includes(profile) ? profile : (holding[0] ?? profile);
}
