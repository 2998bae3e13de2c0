import { existsSync } from "node:fs";
import {
  type HookName,
  hookNames,
  type PreparedSubmission,
  type TargetTokens,
  type TargetValues,
} from "../../../checker/probing/target.ts";
import type { Report } from "../../../checker/reports/report.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import type { SourceFile } from "../../../scenarios/files/source-file.ts";
import { secretOf } from "../../config/read-config.ts";
import { checkedSource } from "../files/checked-source.ts";
import { errorOfFiles } from "../files/error-of-files.ts";
import { type NamedFile, namedFile } from "../files/named-file.ts";
import { readText } from "../files/unreadable.ts";
import { checkedBaseUrl } from "../flags/base-url.ts";
import { byNameFlag, type Environment, type Flag, inGroup, nameIn, type Options, textFlag } from "../options.ts";
import { targetFileProblems, withBaseUrls } from "../target/target-file.ts";
import { UserError } from "../user-error.ts";

/** A live target, as flags, environment, and config or target file describe it. */
export interface TargetDescription {
  readonly baseUrls: { readonly ledger: string | undefined; readonly registry: string | undefined };
  readonly tokens: TargetTokens;
  readonly values: TargetValues;
  readonly hooks: Readonly<Partial<Record<HookName, string>>>;
  /** Where the config or target file describes it; undefined without such a file. */
  readonly place: Report["place"];
}

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
    secret: /^(?:hooks\.|tokens\.\w+=)/,
  },
  { ...textFlag("token", "TOKEN", "token of a participant administrator; better in UNDERSTUDY_TOKEN"), secret: /^/ },
]);

/** Reads the target from file, flags and environment. Flags take precedence over the file. */
export function readTarget(options: Options, environment: Environment): TargetDescription {
  const source = sourceOfTarget(options);
  const root = withMembers(objectOf(source?.value), options);
  const value = (member: string) => textIn(root, member);
  return {
    baseUrls: {
      ledger: baseUrlOf("ledger", options, root),
      registry: baseUrlOf("registry", options, root),
    },
    tokens: tokensOf(options, environment, objectOf(root["tokens"])),
    values: {
      user: value("user"),
      existingUser: value("user"),
      party: value("party"),
      synchronizer: value("synchronizer"),
      package: value("package"),
      vettablePackage: value("vettablePackage"),
      unvettablePackage: value("unvettablePackage"),
      preparedTransactions: preparedOf(root["preparedTransactions"]),
      sender: value("sender"),
      receiver: value("receiver"),
      preapprovedReceiver: value("preapprovedReceiver"),
      instrument: instrumentOf(objectOf(root["instrument"])),
      reassignable: reassignableOf(objectOf(root["reassignable"])),
    },
    hooks: commandsIn(objectOf(root["hooks"])),
    place: placeOf(options, source),
  };
}

/** The name of the target, or the file, that `--target` gives besides members. */
export function targetFileOf(options: Options): NamedFile | undefined {
  const [name, other] = options.texts("target").filter((text) => nameIn(text) === "");
  if (other !== undefined) throw new UserError(`--target ${name} and --target ${other} are two targets. Name one.`);
  return name === undefined ? undefined : namedFile(name, options);
}

/** The target with the members of `--target`. Throws a UserError with the problems of those. */
function withMembers(file: JsonObject, options: Options): JsonObject {
  const members = options.texts("target").filter((text) => nameIn(text) !== "");
  if (members.length === 0) return file;
  const value = members.reduce(withMember, file);
  const place = { line: 1, column: 1 };
  const problems = targetFileProblems({ name: "--target", part: "--target", value, placeOf: () => place });
  if (problems.length > 0) throw errorOfFiles(problems.map((problem) => ({ ...problem, line: undefined })));
  return value;
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

function placeOf({ config }: Options, source: SourceFile | undefined): Report["place"] {
  if (source !== undefined) return { file: source.name, line: source.placeOf([], "name").line };
  return config === undefined ? undefined : { file: config.file, line: 1 };
}

/** The target of the config file that `--target` names, or else the file. */
function sourceOfTarget(options: Options): SourceFile | undefined {
  const [file, { config }] = [targetFileOf(options), options];
  if (file === undefined) return undefined;
  const named = config?.target(file.name);
  if (named !== undefined) return withBaseUrls(named);
  if (!existsSync(file.path)) checkTargetName(file.name, config);
  return checkedSource(targetFileProblems, file.name, readText(file));
}

/** Throws a UserError for a missing file unless its name has the ending of a target file: then the file itself is missed. */
function checkTargetName(name: string, config: Options["config"]): void {
  const urlAdvice = `For a base URL: --ledger ${isUrl(name) ? plainMask(name) : "http://127.0.0.1:7575"}`;
  if (isUrl(name)) throw new UserError(`--target takes a name or a file, not a URL. ${urlAdvice}`);
  const targets = config?.targets ?? [];
  if (config !== undefined && targets.length > 0)
    throw new UserError(`--target ${name}: neither a target of ${config.file} nor a file. ${advise(name, targets)}`);
  if (!/\.(?:ya?ml|json)$/i.test(name))
    throw new UserError(
      `--target ${name}: there is no such file, and no config file with targets. Name a target file. ${urlAdvice}`,
    );
}

function isUrl(text: string): boolean {
  return /^https?:/i.test(text);
}

/** The base URL of a flag, or of the file, which was checked. */
function baseUrlOf(api: Api, options: Options, root: JsonObject): string | undefined {
  const url = options.text(api) ?? textIn(root, api);
  return url === undefined ? undefined : checkedBaseUrl(`--${api}`, url);
}

function tokensOf(options: Options, { variables }: Environment, given: JsonObject): TargetTokens {
  const token = (kind: keyof TargetTokens, flag?: string) =>
    checkedToken(kind, flag ?? tokenIn(kind, given[kind], variables));
  return {
    administrator: token("administrator", options.text("token")),
    plain: token("plain"),
    expired: token("expired"),
    submitter: token("submitter"),
  };
}

function tokenIn(kind: string, given: Json | undefined, variables: Environment["variables"]): string | undefined {
  const token = secretOf(given, variables);
  if (token !== undefined || !isJsonObject(given)) return token;
  throw new UserError(
    `The target takes its ${kind} token from the environment variable ${textIn(given, "env")}, which is not set.`,
  );
}

/** Refuses a token that no header can hold. The HTTP client would show it in its error. */
function checkedToken(kind: string, token: string | undefined): string | undefined {
  const trimmed = token?.trim();
  if (trimmed !== undefined && !/^[\x21-\x7e]+$/.test(trimmed))
    throw new UserError(
      `The ${kind} token has characters that a bearer token cannot have: spaces, line breaks or non-ASCII letters.`,
    );
  return trimmed;
}

function preparedOf(value: Json | undefined): readonly PreparedSubmission[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isJsonObject).map((entry: JsonObject) => ({
    preparedTransaction: textIn(entry, "preparedTransaction") ?? "",
    partySignatures: entry["partySignatures"] ?? {},
    hashingSchemeVersion: textIn(entry, "hashingSchemeVersion") ?? "",
    userId: textIn(entry, "userId"),
  }));
}

function instrumentOf(given: JsonObject): TargetValues["instrument"] {
  const [admin, id] = [textIn(given, "admin"), textIn(given, "id")];
  return admin === undefined || id === undefined ? undefined : { admin, id };
}

function reassignableOf(given: JsonObject): TargetValues["reassignable"] {
  const [contract, to] = [textIn(given, "contract"), textIn(given, "to")];
  return contract === undefined || to === undefined ? undefined : { contract, to };
}

function commandsIn(hooks: JsonObject): Readonly<Partial<Record<HookName, string>>> {
  return Object.fromEntries(
    hookNames.flatMap((name) => {
      const command = textIn(hooks, name);
      return command === undefined ? [] : [[name, command]];
    }),
  );
}

function textIn(object: JsonObject, member: string): string | undefined {
  return textOf(object[member]) || undefined;
}
