import { dirname, extname, join, resolve } from "node:path";
import { isJsonObject, type Json } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { problemsWith, schemaAdvice } from "../../scenarios/files/check-schema.ts";
import type { FileReader } from "../../scenarios/files/file-reader.ts";
import { missingFile, type Problem, problemAt } from "../../scenarios/files/problem.ts";
import { readYaml, type SourceResult } from "../../scenarios/files/read-yaml.ts";
import type { SourceFile } from "../../scenarios/files/source-file.ts";
import type { UnderstudyConfig } from "./define-config.ts";
import { configsIn, unreadConfigIn } from "./find-config.ts";
import { config } from "./generated/config-validator.js";
import { moduleEndings, readModule } from "./read-module.ts";

/** A config file that has the schema. */
export interface Config {
  readonly source: SourceFile;
  readonly value: UnderstudyConfig;
  /** Environment variables, which hold the secrets that the file names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A config file, or its problems. */
type ConfigResult =
  | { readonly type: "read"; readonly config: Config }
  | { readonly type: "invalid"; readonly problems: readonly Problem[] };

/** Where a config file is looked for. */
export interface ConfigPlace {
  /** Name of a file, relative to the folder; undefined for the one in the folder. */
  readonly name: string | undefined;
  /** Absolute path of the working folder. */
  readonly folder: string;
  readonly variables: Config["variables"];
  readonly files: FileReader;
}

/** Reads and checks the config file; undefined where the folder has none and none is named. */
export function readConfig({ name, folder, variables, files }: ConfigPlace): ConfigResult | undefined {
  const [found, other] = name === undefined ? configsIn(folder) : [name];
  const unread = found === undefined ? unreadConfigIn(folder) : undefined;
  if (unread !== undefined) return invalid({ problem: `${unread} is not read`, advice: renameAdvice(unread) }, unread);
  if (found === undefined) return undefined;
  if (other !== undefined)
    return invalid(
      { problem: `${found} and ${other} are two config files`, advice: "Remove one, or name one with --config." },
      found,
    );
  const read = readSource(found, folder, files);
  if (read.type === "invalid") return read;
  const { source } = read;
  const problems = [...problemsWith(config, schemaAdvice("config"), source), ...unknownTargets(source, folder, files)];
  const { value } = source;
  return hasSchema(value, problems)
    ? { type: "read", config: { source, value, variables } }
    : { type: "invalid", problems };
}

function renameAdvice(name: string): string {
  return /\.json/.test(name)
    ? "Rename it to understudy.config.yaml: YAML includes JSON."
    : "Write it as understudy.config.ts, .mjs or .yaml.";
}

/** The type is generated from the schema, so a value without problems has it. */
function hasSchema(_value: unknown, problems: readonly Problem[]): _value is UnderstudyConfig {
  return problems.length === 0;
}

/** Whether the file is a config file, by its name. */
export function isConfigName(file: string): boolean {
  return /(?:^|[/\\])understudy\.config\.\w+$/.test(file);
}

/** Whether a value is a config, by its members. */
export function isConfig(value: Json): boolean {
  return (
    isJsonObject(value) && ["serve", "check", "record", "test", "targets"].some((name) => Object.hasOwn(value, name))
  );
}

function readSource(name: string, folder: string, files: FileReader): SourceResult {
  const text = files.read(name);
  if (text === undefined) return invalid(missingFile(name, files.similar?.(name)), name);
  return moduleEndings.includes(extname(name)) ? readModule(name, resolve(folder, name), text) : readYaml(name, text);
}

function unknownTargets(source: SourceFile, folder: string, files: FileReader): readonly Problem[] {
  const root = objectOf(source.value);
  const name = textOf(objectOf(root["check"])["target"]);
  const known = Object.keys(objectOf(root["targets"]));
  if (name === "" || known.includes(name) || files.read(resolve(folder, besideConfig(source, name))) !== undefined)
    return [];
  const problem = `check.target is ${JSON.stringify(name)}, which is neither a name in targets nor a file`;
  const advice = known.length === 0 ? `Describe it under targets: { ${name}: { ledger: … } }.` : advise(name, known);
  return [problemAt(source, ["check", "target"], problem, advice)];
}

/** A path in a config file, relative to the working folder: paths start from the folder of the file. */
export function besideConfig({ name }: Pick<SourceFile, "name">, path: string): string {
  const folder = dirname(name);
  return folder === "." || /^(?:https?:|[\\/]|[A-Za-z]:)/.test(path) ? path : join(folder, path);
}

/** A secret: the value itself, or of the environment variable that `{ env: NAME }` names. Undefined for an empty variable. */
export function secretOf(given: Json | undefined, variables: Config["variables"]): string | undefined {
  const value = isJsonObject(given) ? variables[textOf(given["env"])] : textOf(given);
  return value === "" ? undefined : value;
}

function invalid(problem: Pick<Problem, "problem" | "advice">, file: string): SourceResult & { type: "invalid" } {
  return { type: "invalid", problems: [{ file, line: undefined, column: undefined, ...problem }] };
}
