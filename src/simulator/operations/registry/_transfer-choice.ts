import { formatJson, isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { microsOfInstant } from "../../daml/daml-type.ts";
import type { Generation } from "../../daml/token-types.ts";

/** An account of the v2 token standard. */
export interface Account {
  readonly owner: string | undefined;
  readonly provider: string | undefined;
  readonly id: string;
}

/** The arguments of `TransferFactory_Transfer` that a lookup uses. */
export interface TransferChoice {
  readonly sender: Account;
  readonly receiver: Account;
  readonly instrumentId: string;
}

export type ChoiceResult =
  | { readonly type: "choice"; readonly choice: TransferChoice }
  | { readonly type: "refused"; readonly message: string };

type Check = (value: Json) => string | undefined;

const text: Check = (value) => (typeof value === "string" ? undefined : expected("string", value));
const optionalText: Check = (value) => (value === null ? undefined : text(value));
const decimal: Check = checkDecimal;
const timestamp: Check = (value) =>
  typeof value === "string" && microsOfInstant(value) !== undefined
    ? undefined
    : expected("valid ISO 8601 date and time in UTC", value);
const account = record({ owner: optionalText, provider: optionalText, id: text }, ["owner", "provider"]);
const anyValueTags: ReadonlySet<string> = new Set(
  ["Text", "Int", "Decimal", "Bool", "Date", "Time", "RelTime", "Party", "ContractId", "List", "Map"].map(
    (tag) => `AV_${tag}`,
  ),
);

/** Reads `choiceArguments` as the v1 or v2 choice, by the rules of the registry's decoder (Splice 0.7, TransferInstructionV1.daml and V2 and HttpTokenStandardTransferInstructionHandler.scala). */
export function readTransferChoice(
  choiceArguments: Json,
  generation: Generation,
  isEmptyContextTolerated: boolean,
): ChoiceResult {
  const { check, firstCount } = choices[generation][isEmptyContextTolerated ? "tolerant" : "exact"];
  const problem = check(choiceArguments);
  if (problem !== undefined)
    return { type: "refused", message: `${prefix}${problem} at line: 1, column: ${columnOf(choiceArguments)}` };
  const transfer = memberOf(choiceArguments, "transfer", firstCount);
  return {
    type: "choice",
    choice: {
      sender: accountOf(memberOf(transfer, "sender", 0)),
      receiver: accountOf(memberOf(transfer, "receiver", 1)),
      instrumentId: String(memberOf(memberOf(transfer, "instrumentId", 3), "id", 1)),
    },
  };
}

type Members = Readonly<Record<string, Check>>;

/** The decoder of a choice, and the number of members before `transfer`. */
interface ChoiceForm {
  readonly check: Check;
  readonly firstCount: number;
}

const choices: Readonly<Record<Generation, Readonly<Record<"exact" | "tolerant", ChoiceForm>>>> = {
  v1: formsOf(text, { expectedAdmin: text }, {}),
  v2: formsOf(account, {}, { actors: listOf(text) }),
};

function formsOf(side: Check, first: Members, last: Members): Readonly<Record<"exact" | "tolerant", ChoiceForm>> {
  const firstCount = Object.keys(first).length;
  return {
    exact: { check: choiceOf(side, first, last, []), firstCount },
    tolerant: { check: choiceOf(side, first, last, ["values"]), firstCount },
  };
}

function choiceOf(side: Check, first: Members, last: Members, optional: readonly string[]): Check {
  const context = record({ values: mapOf(anyValue) }, optional);
  const meta = record({ values: mapOf(text) }, optional);
  const transfer = record(
    {
      sender: side,
      receiver: side,
      amount: decimal,
      instrumentId: record({ admin: text, id: text }, []),
      requestedAt: timestamp,
      executeBefore: timestamp,
      inputHoldingCids: listOf(text),
      meta,
    },
    [],
  );
  return record({ ...first, transfer, ...last, extraArgs: record({ context, meta }, []) }, []);
}

const prefix =
  "Field `choiceArguments` does not contain a valid `TransferFactory_Transfer`: com.daml.ledger.javaapi.data.codegen.json.JsonLfDecoder$Error: ";

function mapOf(check: Check): Check {
  return (value) =>
    isJsonObject(value)
      ? Object.values(value)
          .map(check)
          .find((problem) => problem !== undefined)
      : expected("object", value);
}

/** A variant of the standard: a known tag and a value. The value is not checked; the ledger checks it. */
function anyValue(value: Json): string | undefined {
  if (!isJsonObject(value)) return expected("object", value);
  const surplus = Object.keys(value).find((name) => name !== "tag" && name !== "value");
  if (surplus !== undefined) return `Unknown field ${surplus} (known fields are [tag, value])`;
  const { tag } = { tag: value["tag"] };
  if (typeof tag !== "string" || !anyValueTags.has(tag)) return expected("a known constructor", tag ?? null);
  return Object.hasOwn(value, "value") ? undefined : "Missing field value";
}

/** An object, or a list of all members in their order. */
function record(members: Readonly<Record<string, Check>>, optional: readonly string[]): Check {
  const names = Object.keys(members);
  return (value) => {
    if (Array.isArray(value)) return positional(Object.values(members), value);
    if (!isJsonObject(value)) return expected("object or array", value);
    for (const name of Object.keys(value)) {
      const inner = value[name] ?? null;
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (check === undefined && inner !== null)
        return `Unknown field ${name} (known fields are [${names.join(", ")}])`;
      const problem = check?.(inner);
      if (problem !== undefined) return problem;
    }
    const missing = names.find((name) => !Object.hasOwn(value, name) && !optional.includes(name));
    return missing === undefined ? undefined : `Missing field ${missing}`;
  };
}

function positional(checks: readonly Check[], values: readonly Json[]): string | undefined {
  if (values.length !== checks.length) return expected(`array of ${checks.length}`, [...values]);
  return checks.map((check, index) => check(values[index] ?? null)).find((problem) => problem !== undefined);
}

function listOf(check: Check): Check {
  return (value) =>
    Array.isArray(value) ? value.map(check).find((problem) => problem !== undefined) : expected("array", value);
}

/** A decimal as string or number, below 10^28 in size. */
function checkDecimal(value: Json): string | undefined {
  const shown =
    typeof value === "string"
      ? value
      : typeof value === "number" || typeof value === "bigint"
        ? String(value)
        : undefined;
  if (shown === undefined || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,9})?$/.test(shown))
    return expected("numeric", value);
  return Math.abs(Number(shown)) < 1e28 ? undefined : expected("numeric in range (-10^28, 10^28)", value);
}

function expected(what: string, value: Json): string {
  return `Expected ${what} but was ${typeof value === "string" ? value : formatJson(value)}`;
}

/** A member by name, or by position if the record is a list. */
function memberOf(value: Json, name: string, place: number): Json {
  if (Array.isArray(value)) return value[place] ?? null;
  return isJsonObject(value) ? (value[name] ?? null) : null;
}

/** The account of a party (v1) or of an account record (v2). */
function accountOf(value: Json): Account {
  if (typeof value === "string") return { owner: value, provider: undefined, id: "" };
  const [owner, provider, id] = [memberOf(value, "owner", 0), memberOf(value, "provider", 1), memberOf(value, "id", 2)];
  return {
    owner: typeof owner === "string" ? owner : undefined,
    provider: typeof provider === "string" ? provider : undefined,
    id: String(id ?? ""),
  };
}

/** The column in an error message: the end of the compacted text. */
function columnOf(value: Json): number {
  return formatJson(value).length;
}
