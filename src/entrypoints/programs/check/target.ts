import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  type HookName,
  hookNames,
  type PreparedSubmission,
  type TargetTokens,
  type TargetValues,
} from "../../../checker/probing/target.ts";
import type { Report } from "../../../checker/reports/report.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import type { SourceFile } from "../../../scenarios/files/source-file.ts";
import { secretOf } from "../../config/read-config.ts";
import { packagedNamed } from "../../library/files.ts";
import type { ProgramCaller } from "../caller.ts";
import { checkedSource } from "../files/checked-source.ts";
import { errorOfFiles } from "../files/error-of-files.ts";
import type { NamedFile } from "../files/named-file.ts";
import { readText } from "../files/unreadable.ts";
import { checkedBaseUrl } from "../target/base-url.ts";
import { targetFileProblems, withBaseUrls } from "../target/target-file.ts";
import { UserError } from "../user-error.ts";

/** A command line and the folder where it runs. */
export interface HookCommand {
  readonly command: string;
  readonly folder: string;
}

/** A live target, as flags, environment, and config or target file describe it. */
export interface TargetDescription {
  readonly baseUrls: { readonly ledger: string | undefined; readonly registry: string | undefined };
  readonly tokens: TargetTokens;
  readonly values: TargetValues;
  readonly hooks: Readonly<Partial<Record<HookName, HookCommand>>>;
  /** Where the config or target file describes it; undefined without such a file. */
  readonly place: Report["place"];
}

/** A target: members as in a config or target file, and what takes precedence over them. */
export interface GivenTarget {
  readonly ledger?: string | undefined;
  readonly registry?: string | undefined;
  readonly token?: string | undefined;
  readonly root: JsonObject;
  readonly file?: TargetSource | undefined;
  readonly place: TargetDescription["place"];
}

/** What describes a target: a file or a member of the config file. */
export interface TargetSource {
  readonly source: SourceFile;
  /** Folder of a target file, where its hooks run; undefined for a config file. */
  readonly folder: string | undefined;
}

/** The checked description of a target. */
export function describeTarget(given: GivenTarget, caller: ProgramCaller): TargetDescription {
  const { root, place } = given;
  const value = (member: string) => textIn(root, member);
  return {
    baseUrls: {
      ledger: baseUrlOf("ledger", given, caller),
      registry: baseUrlOf("registry", given, caller),
    },
    tokens: tokensOf(given.token, objectOf(root["tokens"]), caller),
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
    hooks: commandsIn(given, caller),
    place,
  };
}

/** A config file with its targets. */
export interface ConfiguredTargets {
  /** The file as the user names it. */
  readonly file: string;
  /** Names of targets. */
  readonly targets: readonly string[];
  target(name: string): SourceFile | undefined;
}

/** The target of the config file that has this name, or else the file. */
export function sourceOfTarget(
  file: NamedFile,
  config: ConfiguredTargets | undefined,
  caller: Pick<ProgramCaller, "nameOf">,
): TargetSource {
  const named = config?.target(file.name);
  if (named !== undefined) return { source: withBaseUrls(named), folder: undefined };
  const packaged = existsSync(file.path) ? undefined : packagedNamed(file.name, "target");
  if (packaged === undefined && !existsSync(file.path)) checkTargetName(file.name, config, caller);
  const read = packaged === undefined ? file : { name: packaged, path: packaged };
  return {
    source: checkedSource(targetFileProblems, read.name, readText(read)),
    folder: dirname(read.path),
  };
}

/** Where a file describes its target. */
export function placeOfSource(source: SourceFile): TargetDescription["place"] {
  return { file: source.name, line: source.placeOf([], "name").line };
}

/** The members of a target. Throws a UserError with their problems; `name` is the option as the caller spells it. */
export function checkedMembers(value: JsonObject, name: string): JsonObject {
  const place = { line: 1, column: 1 };
  const problems = targetFileProblems({ name, part: name, value, placeOf: () => place });
  if (problems.length > 0) throw errorOfFiles(problems.map((problem) => ({ ...problem, line: undefined })));
  return value;
}

/** Throws a UserError for a missing file unless its name has the ending of a target file: then the file itself is missed. */
function checkTargetName(
  name: string,
  config: ConfiguredTargets | undefined,
  { nameOf }: Pick<ProgramCaller, "nameOf">,
): void {
  const urlAdvice = `For a base URL: ${nameOf("ledger")} ${isUrl(name) ? plainMask(name) : "http://127.0.0.1:7575"}`;
  if (isUrl(name)) throw new UserError(`${nameOf("target")} takes a name or a file, not a URL. ${urlAdvice}`);
  const targets = config?.targets ?? [];
  if (config !== undefined && targets.length > 0)
    throw new UserError(
      `${nameOf("target")} ${name}: neither a target of ${config.file} nor a file. ${advise(name, targets)}`,
    );
  if (!/\.(?:ya?ml|json)$/i.test(name))
    throw new UserError(
      `${nameOf("target")} ${name}: there is no such file, and no config file with targets. Name a target file. ${urlAdvice}`,
    );
}

function isUrl(text: string): boolean {
  return /^https?:/i.test(text);
}

/** The base URL that is given itself, or of the file, which was checked. */
function baseUrlOf(api: Api, given: GivenTarget, { nameOf }: ProgramCaller): string | undefined {
  const url = given[api] ?? textIn(given.root, api);
  return url === undefined ? undefined : checkedBaseUrl(nameOf(api), url);
}

function tokensOf(own: string | undefined, given: JsonObject, { variables }: ProgramCaller): TargetTokens {
  const token = (kind: keyof TargetTokens, text?: string) =>
    checkedToken(kind, text ?? tokenIn(kind, given[kind], variables));
  return {
    administrator: token("administrator", own),
    plain: token("plain"),
    expired: token("expired"),
    submitter: token("submitter"),
  };
}

function tokenIn(kind: string, given: Json | undefined, variables: ProgramCaller["variables"]): string | undefined {
  const token = secretOf(given, variables);
  if (token !== undefined || !isJsonObject(given)) return token;
  throw new UserError(
    `The target takes its ${kind} token from the environment variable ${textIn(given, "env")}, which is not set.`,
  );
}

/** Refuses a token that no header can hold. The HTTP client would show it in its error. */
function checkedToken(kind: string, token: string | undefined): string | undefined {
  const trimmed = token?.trim();
  if (trimmed !== undefined && /^bearer\s/i.test(trimmed))
    throw new UserError(`The ${kind} token begins with the word Bearer. Leave the word out: only the token is needed.`);
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

/** Hooks of a target file run beside it, the others in the working folder. */
function commandsIn({ root, file }: GivenTarget, { folder }: ProgramCaller): TargetDescription["hooks"] {
  const inFile = objectOf(objectOf(file?.source.value)["hooks"]);
  return Object.fromEntries(
    hookNames.flatMap((name) => {
      const command = textIn(objectOf(root["hooks"]), name);
      const beside = command === textIn(inFile, name) ? file?.folder : undefined;
      return command === undefined ? [] : [[name, { command, folder: beside ?? folder }]];
    }),
  );
}

function textIn(object: JsonObject, member: string): string | undefined {
  return textOf(object[member]) || undefined;
}
