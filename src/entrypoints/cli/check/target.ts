import { existsSync } from "node:fs";
import type { HookName, PreparedSubmission, TargetTokens, TargetValues } from "../../../checker/probing/target.ts";
import { hookNames } from "../../../checker/probing/target.ts";
import type { Report } from "../../../checker/reports/report.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import type { SourceFile } from "../../../scenarios/files/source-file.ts";
import { secretOf } from "../../config/read-config.ts";
import { checkedSource } from "../files/checked-source.ts";
import { fileOf } from "../files/named-file.ts";
import { readText } from "../files/unreadable.ts";
import { checkedBaseUrl } from "../flags/base-url.ts";
import { type Environment, type Flag, inGroup, listFlag, type Options, rare, textFlag } from "../options.ts";
import { targetFileProblems, withBaseUrls } from "../target/target-file.ts";
import { UserError } from "../user-error.ts";
import { hookCommandsOf } from "./hooks.ts";

/** A live target, as flags, environment, and config or target file describe it. */
export interface TargetDescription {
  readonly baseUrls: { readonly ledger: string | undefined; readonly registry: string | undefined };
  readonly tokens: TargetTokens;
  readonly values: TargetValues;
  readonly hooks: Readonly<Partial<Record<HookName, string>>>;
  /** Where the config or target file describes it; undefined without such a file. */
  readonly place: Report["place"];
}

const secret = (flag: Flag): Flag => ({ ...flag, isSecret: true });

/** Flags that describe the target, as a config or target file does. */
export const targetFlags: readonly Flag[] = [
  ...inGroup("Target", [
    textFlag("ledger", "URL", "check the JSON Ledger API at this URL"),
    textFlag("registry", "URL", "check the token registry at this URL"),
    textFlag("target", "NAME|FILE", "target in the config file, or a file (schemas/target.schema.json)"),
    secret(textFlag("token", "TOKEN", "token of a participant administrator; better in UNDERSTUDY_TOKEN")),
    secret(rare(textFlag("plain-token", "TOKEN", "token of a user without rights"))),
    secret(rare(textFlag("expired-token", "TOKEN", "expired token"))),
    secret(
      rare(
        textFlag(
          "submitter-token",
          "TOKEN",
          "token that executes prepared transactions (default: the administrator's)",
        ),
      ),
    ),
  ]),
  ...inGroup("Ids of the target", [
    rare(textFlag("user", "ID", "existing user for the probes, if the target cannot create users")),
    rare(textFlag("party", "ID", "party for the rights of a new user (default: looked up)")),
    rare(textFlag("synchronizer", "ID", "synchronizer of the participant (default: looked up)")),
    rare(textFlag("package", "ID", "package that the participant has (default: looked up)")),
    rare(textFlag("vettable-package", "ID", "package that is not vetted and can be vetted")),
    rare(textFlag("unvettable-package", "ID", "package that cannot be vetted")),
    rare(
      textFlag(
        "prepared-transactions",
        "JSON",
        "list of prepared transactions with their signatures, as in a target file",
      ),
    ),
    rare(textFlag("sender", "PARTY", "sender in transfer-factory requests (default: generated)")),
    rare(textFlag("receiver", "PARTY", "receiver without a pre-approval (default: generated)")),
    rare(textFlag("preapproved-receiver", "PARTY", "receiver with a pre-approval")),
    rare(textFlag("instrument-admin", "PARTY", "admin of the instrument (default: looked up)")),
    rare(textFlag("instrument", "ID", "instrument of the registry (default: looked up)")),
    rare(textFlag("reassignable-contract", "ID", "contract that lookups disclose and hooks can reassign")),
    rare(textFlag("reassignable-to", "ID", "synchronizer that hooks reassign the contract to")),
  ]),
  secret({
    ...rare(listFlag("hook", "NAME=COMMAND", `shell command that the check runs for a step: ${hookNames.join(", ")}`)),
    group: "Target",
  }),
];

/** Reads the target from file, flags and environment. Flags take precedence over the file. */
export function readTarget(options: Options, environment: Environment): TargetDescription {
  const source = sourceOfTarget(options);
  const root = objectOf(source?.value);
  const value = (flag: string, member: string) => options.text(flag) ?? textIn(root, member);
  const user = value("user", "user");
  return {
    baseUrls: {
      ledger: baseUrlOf("ledger", options, root),
      registry: baseUrlOf("registry", options, root),
    },
    tokens: tokensOf(options, environment, objectOf(root["tokens"])),
    values: {
      user,
      existingUser: user,
      party: value("party", "party"),
      synchronizer: value("synchronizer", "synchronizer"),
      package: value("package", "package"),
      vettablePackage: value("vettable-package", "vettablePackage"),
      unvettablePackage: value("unvettable-package", "unvettablePackage"),
      preparedTransactions: preparedOf(options, root["preparedTransactions"]),
      sender: value("sender", "sender"),
      receiver: value("receiver", "receiver"),
      preapprovedReceiver: value("preapproved-receiver", "preapprovedReceiver"),
      instrument: instrumentOf(options, objectOf(root["instrument"])),
      reassignable: reassignableOf(options, objectOf(root["reassignable"])),
    },
    hooks: { ...commandsIn(objectOf(root["hooks"])), ...hookCommandsOf(options) },
    place: placeOf(options, source),
  };
}

function placeOf({ config }: Options, source: SourceFile | undefined): Report["place"] {
  if (source !== undefined) return { file: source.name, line: source.placeOf([], "name").line };
  return config === undefined ? undefined : { file: config.file, line: 1 };
}

/** The target of the config file that `--target` names, or else the file. */
function sourceOfTarget(options: Options): SourceFile | undefined {
  const [file, { config }] = [fileOf("target", options), options];
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

const tokenFlags = {
  administrator: "token",
  plain: "plain-token",
  expired: "expired-token",
  submitter: "submitter-token",
} as const;

function tokensOf(options: Options, { variables }: Environment, given: JsonObject): TargetTokens {
  const token = (kind: keyof typeof tokenFlags) =>
    checkedToken(kind, options.text(tokenFlags[kind]) ?? tokenIn(kind, given[kind], variables));
  return {
    administrator: token("administrator"),
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

function preparedOf(options: Options, given: Json | undefined): readonly PreparedSubmission[] | undefined {
  const flag = options.text("prepared-transactions");
  const value = flag === undefined ? given : preparedIn(flag);
  if (!Array.isArray(value)) return undefined;
  return value.filter(isJsonObject).map((entry: JsonObject) => ({
    preparedTransaction: textIn(entry, "preparedTransaction") ?? "",
    partySignatures: entry["partySignatures"] ?? {},
    hashingSchemeVersion: textIn(entry, "hashingSchemeVersion") ?? "",
    userId: textIn(entry, "userId"),
  }));
}

/** The same schema as in a file; the text of the flag is JSON, which YAML contains. */
function preparedIn(flag: string): Json {
  const { value } = checkedSource(targetFileProblems, "--prepared-transactions", `preparedTransactions: ${flag}`);
  return objectOf(value)["preparedTransactions"] ?? null;
}

function instrumentOf(options: Options, given: JsonObject): TargetValues["instrument"] {
  const [admin, id] = pairOf(options, ["instrument-admin", "instrument"], [given["admin"], given["id"]]);
  return admin === undefined || id === undefined ? undefined : { admin, id };
}

function reassignableOf(options: Options, given: JsonObject): TargetValues["reassignable"] {
  const [contract, to] = pairOf(
    options,
    ["reassignable-contract", "reassignable-to"],
    [given["contract"], given["to"]],
  );
  return contract === undefined || to === undefined ? undefined : { contract, to };
}

/** Two values that are only valid together. */
function pairOf(
  options: Options,
  [first, second]: readonly [string, string],
  [givenFirst, givenSecond]: readonly [Json | undefined, Json | undefined],
): readonly [string | undefined, string | undefined] {
  const [left, right] = [options.text(first) ?? textOf(givenFirst), options.text(second) ?? textOf(givenSecond)];
  if ((left === undefined) !== (right === undefined))
    throw new UserError(`--${first} and --${second} are only valid together. Set both.`);
  return [left, right];
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
  return textOf(object[member]);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
