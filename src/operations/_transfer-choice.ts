import { formatJson, isJsonObject, type Json, type JsonObject } from "../http/json.ts";

/** An account of the v2 token standard. */
export interface Account {
  readonly owner: string | undefined;
  readonly provider: string | undefined;
  readonly id: string;
}

/** What a lookup needs of `TransferFactory_Transfer`. */
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
const object: Check = (value) => (isJsonObject(value) ? undefined : expected("object", value));
const decimal: Check = checkDecimal;
const timestamp: Check = (value) =>
  typeof value === "string" && isInstant(value) ? undefined : expected("valid ISO 8601 date and time in UTC", value);
const account = record({ owner: optionalText, provider: optionalText, id: text }, ["owner", "provider"]);
const values = record({ values: object }, []);

/** Reads `choiceArguments` as the v2 choice, by the rules of the registry's decoder (facts, registry 2 and 3.1). */
export function readTransferChoice(choiceArguments: Json, isEmptyContextTolerated: boolean): ChoiceResult {
  const context = isEmptyContextTolerated ? record({ values: object }, ["values"]) : values;
  const choice = record(
    {
      transfer: record(
        {
          sender: account,
          receiver: account,
          amount: decimal,
          instrumentId: record({ admin: text, id: text }, []),
          requestedAt: timestamp,
          executeBefore: timestamp,
          inputHoldingCids: listOf(text),
          meta: context,
        },
        [],
      ),
      actors: listOf(text),
      extraArgs: record({ context, meta: context }, []),
    },
    [],
  );
  const problem = choice(choiceArguments);
  if (problem !== undefined)
    return { type: "refused", message: `${prefix}${problem} at line: 1, column: ${columnOf(choiceArguments)}` };
  const transfer = memberOf(choiceArguments, "transfer");
  return {
    type: "choice",
    choice: {
      sender: accountOf(memberOf(transfer, "sender")),
      receiver: accountOf(memberOf(transfer, "receiver")),
      instrumentId: String(memberOf(memberOf(transfer, "instrumentId"), "id")),
    },
  };
}

const prefix =
  "Field `choiceArguments` does not contain a valid `TransferFactory_Transfer`: com.daml.ledger.javaapi.data.codegen.json.JsonLfDecoder$Error: ";

function record(members: Readonly<Record<string, Check>>, optional: readonly string[]): Check {
  const names = Object.keys(members);
  return (value) => {
    if (!isJsonObject(value)) return expected("object or array", value);
    for (const [name, inner] of Object.entries(value)) {
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

/** ISO-8601 with a zone; a date alone, no zone, the compact form and hour 24 are none. */
function isInstant(value: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function expected(what: string, value: Json): string {
  return `Expected ${what} but was ${typeof value === "string" ? value : formatJson(value)}`;
}

function memberOf(value: Json, name: string): Json {
  return isJsonObject(value) ? (value[name] ?? null) : null;
}

function accountOf(value: Json): Account {
  const members: JsonObject = isJsonObject(value) ? value : {};
  const { owner, provider, id } = { owner: members["owner"], provider: members["provider"], id: members["id"] };
  return {
    owner: typeof owner === "string" ? owner : undefined,
    provider: typeof provider === "string" ? provider : undefined,
    id: String(id ?? ""),
  };
}

/** The decoder reads the compacted text; the column is that of its end. */
function columnOf(value: Json): number {
  return formatJson(value).length;
}
