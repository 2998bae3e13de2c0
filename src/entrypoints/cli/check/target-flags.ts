import { type Json, type JsonObject, jsonOf } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import {
  checkedMembers,
  describeTarget,
  placeOfSource,
  sourceOfTarget,
  type TargetDescription,
} from "../../programs/check/target.ts";
import { type NamedFile, namedFile } from "../../programs/files/named-file.ts";
import { UserError } from "../../programs/user-error.ts";
import { byNameFlag, type Environment, type Flag, inGroup, nameIn, type Options, textFlag } from "../options.ts";

/** Flags that describe the target, as a config or target file does. */
export const targetFlags: readonly Flag[] = inGroup("Target", [
  textFlag("ledger", "URL", "check the JSON Ledger API at this URL"),
  textFlag("registry", "URL", "check the token registry at this URL"),
  {
    ...byNameFlag(
      "target",
      "NAME|FILE",
      "target in the config file, a file, or MEMBER=VALUE such as user=bob (docs/check-reference.md)",
    ),
    secret: /^(?:hooks[.=]|tokens=|tokens\.\w+=)/,
  },
  { ...textFlag("token", "TOKEN", "token of a participant administrator; better in UNDERSTUDY_TOKEN"), secret: /^/ },
]);

/** The name of the target, or the file, that `--target` gives besides members. */
export function targetFileOf(options: Options): NamedFile | undefined {
  const [name, other] = options.texts("target").filter((text) => nameIn(text) === "");
  if (other !== undefined) throw new UserError(`--target ${name} and --target ${other} are two targets. Name one.`);
  return name === undefined ? undefined : namedFile(name, options);
}

/** The target that the flags describe. */
export function targetOf(options: Options, environment: Environment): TargetDescription {
  const file = targetFileOf(options);
  const found = file === undefined ? undefined : sourceOfTarget(file, options.config, environment);
  const given = {
    ledger: options.text("ledger"),
    registry: options.text("registry"),
    token: options.text("token"),
    root: withMembers(objectOf(found?.source.value), options),
    file: found,
    place: found === undefined ? placeOf(options) : placeOfSource(found.source),
  };
  return describeTarget(given, environment);
}

function placeOf({ config }: Options): TargetDescription["place"] {
  return config === undefined ? undefined : { file: config.file, line: 1 };
}

/** The target with the members of `--target`. Throws a UserError with the problems of those. */
function withMembers(file: JsonObject, options: Options): JsonObject {
  const members = options.texts("target").filter((text) => nameIn(text) !== "");
  if (members.length === 0) return file;
  const names = members.map(nameIn);
  const twice = members.find((text, index) => names.indexOf(nameIn(text)) < index);
  if (twice !== undefined) throw new UserError(`--target ${twice}: ${nameIn(twice).slice(0, -1)} is given twice.`);
  const value = members.reduce(withMember, file);
  return checkedMembers(value, "--target");
}

/** A value that is an object or a list is written as JSON. */
function withMember(root: JsonObject, text: string): JsonObject {
  const name = nameIn(text);
  const value = text.slice(name.length).trim();
  if (value === "") throw new UserError(`--target ${name}: needs a value.`);
  return withValue(root, name.slice(0, -1).split("."), (/^[[{]/.test(value) ? jsonOf(value) : undefined) ?? value);
}

function withValue(root: JsonObject, [first = "", ...rest]: readonly string[], value: Json): JsonObject {
  return { ...root, [first]: rest.length === 0 ? value : withValue(objectOf(root[first]), rest, value) };
}
