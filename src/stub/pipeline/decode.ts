import type { HeaderList } from "../../foundation/http/header.ts";
import {
  BeyondJsonBounds,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonOfInteger,
  parseJson,
} from "../../foundation/json/json.ts";
import { exceededBound } from "../../foundation/json/json-bounds.ts";
import { objectOf } from "../../foundation/json/members.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import type { LimitName } from "../../foundation/limits/limits.ts";
import { type DescribedField, withFirstNames } from "../../foundation/spec/described-fields.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import { releaseOf, type Spec } from "../../foundation/spec/spec.ts";
import { createValidator, type SchemaViolation, type Validate } from "../../foundation/spec/validator.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { Codec } from "../codec/codec.ts";
import { applyDefaults } from "./apply-defaults.ts";
import { codecSchema } from "./codec-schema.ts";

export type Decoded<Value> = { readonly type: "decoded"; readonly value: Value } | Refused;

export interface Refused {
  readonly type: "refused";
  readonly reason: string;
  /** What is wrong, where the reason is the text of a node that does not say it. */
  readonly explanation?: string;
  /** The name of the limit that the body exceeds; then nothing else reads it. */
  readonly beyondLimit?: string;
}

/** Leading zeros do not count, and an int64 has 19 digits: longer texts take long to read. */
const integer = /^[+-]?0*\d{1,19}$/;
const noQuery = { type: "decoded", value: {} } as const;

/** The values of query parameters by name. */
export type DecodedQuery = Decoded<Readonly<Record<string, Json>>>;

/** Decodes the query parameters of the operation and ignores all others. */
export function decodeQuery(operation: SpecOperation, search: string): DecodedQuery {
  if (search === "") return noQuery;
  const given = [...new URLSearchParams(search)];
  const query: Record<string, Json> = {};
  for (const parameter of operation.parameters) {
    if (parameter.in !== "query") continue;
    const values = given.filter(([name]) => name === parameter.name).map(([, value]) => value);
    const text = values[0];
    if (text === undefined) continue;
    const { type, format, items } = parameter.schema;
    if (type === "array") {
      const explanation = misnamed(objectOf(items)["x-identifier"], values);
      if (explanation !== undefined) return { type: "refused", reason: invalidQuery(parameter.name), explanation };
      query[parameter.name] = values;
      continue;
    }
    const value = type === "integer" ? integerOf(text, format === "int64" ? 63 : 31) : scalarOf(text, type);
    if (value === undefined || values.length > 1) {
      const bits = format === "int64" ? 64 : 32;
      const explanation =
        values.length > 1
          ? `it is sent ${values.length} times`
          : `${JSON.stringify(shortened(text, 30))} is not ${type === "boolean" ? "true or false" : `an integer of ${bits} bits`}`;
      return { type: "refused", reason: invalidQuery(parameter.name), explanation };
    }
    query[parameter.name] = value;
  }
  return { type: "decoded", value: query };
}

/** A boolean in any case, as Scala reads it; other types are texts. */
function scalarOf(text: string, type: Json | undefined): boolean | string | undefined {
  if (type !== "boolean") return text;
  const lower = text.toLowerCase();
  return lower === "true" || lower === "false" ? lower === "true" : undefined;
}

function invalidQuery(name: string): string {
  return `Invalid value for: query parameter ${name}`;
}

/** The first value that has not the syntax of an identifier. */
function misnamed(syntax: Json | undefined, values: readonly string[]): string | undefined {
  const value = typeof syntax === "string" ? values.find((text) => !isIdentifier(syntax, text)) : undefined;
  return value === undefined ? undefined : `${JSON.stringify(shortened(value, 30))} is not a ${syntax} id`;
}

/** An integer of a sign and this number of bits; a bigint beyond 2^53. */
function integerOf(text: string, bits: number): number | bigint | undefined {
  if (!integer.test(text)) return undefined;
  const value = BigInt(text);
  if (BigInt.asIntN(bits + 1, value) !== value) return undefined;
  return jsonOfInteger(value);
}

/** The body decoder of a profile. Releases decode with a node's own codec. */
export function ledgerDecoderOf(spec: Spec): LedgerDecoder {
  return spec.profile.ledger === "spec" ? letterDecoder(spec) : codecDecoder(spec);
}

/** The decoder of the profile `spec`: it first checks what the spec requires, then applies defaults. */
function letterDecoder(spec: Spec): LedgerDecoder {
  let validate: Validate | undefined;
  return (requestSchema, { body: parsed }) => {
    if (parsed.type === "refused") return parsed;
    const [unfit] = spec.validateLetter.ledger(requestSchema, parsed.value);
    if (unfit !== undefined) return violated(unfit);
    const fields = spec.describedFields(requestSchema);
    const unshownProblem = unshownMemberProblem(spec, fields, parsed.value);
    if (unshownProblem !== undefined) return { type: "refused", reason: unshownProblem };
    const named = withFirstNames(fields, parsed.value) ?? null;
    const value = applyDefaults(spec.shapes.ledger.shapeAt(requestSchema), named);
    validate ??= createValidator(codecSchema(spec.descriptions.ledger));
    const [violation] = validate(requestSchema, value);
    if (violation !== undefined) return violated(violation);
    if (value === parsed.value) return parsed;
    return isJsonObject(value) ? { type: "decoded", value } : violated({ message: "must be object", pointer: "" });
  };
}

function violated({ message, pointer }: Pick<SchemaViolation, "message" | "pointer">): Refused {
  return { type: "refused", reason: reasonOf(message, pointer) };
}

/**
 * The problem of a member whose JSON name the spec does not show: two of its names are sent, or its value is not valid. Only
 * profile `spec` has such members.
 */
function unshownMemberProblem(
  { validateLetter }: Spec,
  fields: readonly DescribedField[],
  body: JsonObject,
): string | undefined {
  for (const { names, schema } of fields) {
    const [name, ...others] = names.filter((candidate) => Object.hasOwn(body, candidate));
    if (name === undefined) continue;
    if (others.length > 0) return `${[name, ...others].join(" and ")} are the same member: send only one of them`;
    const [violation] = validateLetter.ledger(schema, body[name] ?? null);
    if (violation !== undefined) return reasonOf(violation.message, `/${name}${violation.pointer}`);
  }
  return undefined;
}

function codecDecoder(spec: Spec): LedgerDecoder {
  const codec = new Codec(spec.descriptions.ledger);
  const { jsonNestingMax } = releaseOf(spec.profile.ledger).behaviour;
  const unbounded = Number.POSITIVE_INFINITY;
  const bounds =
    jsonNestingMax === null
      ? undefined
      : { nestingMax: jsonNestingMax, jsonValuesMax: unbounded, numberLengthMax: unbounded };
  return (requestSchema, { body, text }) => {
    if (body.type === "refused" && body.beyondLimit !== undefined) return body;
    if (bounds !== undefined && body.type === "decoded" && exceededBound(text, bounds) !== undefined)
      return { type: "refused", reason: `JSON is nested deeper than ${jsonNestingMax} levels` };
    const json = body.type === "decoded" && !text.startsWith("\uFEFF") ? body.value : undefined;
    return codec.decode(requestSchema, { text, json });
  };
}

/** Decodes a request body against the schema at this JSON pointer. */
export type LedgerDecoder = (requestSchema: string, sent: Sent) => Decoded<JsonObject>;

interface Sent {
  /** With its byte order mark. */
  readonly text: string;
  readonly body: Decoded<JsonObject>;
}

/** Parses JSON text that must be an object, within the limits. The reason of a refusal names the place of the first problem. */
export function parseBody(text: string, counted: CountedLimits): Decoded<JsonObject> {
  if (isBlank(text)) return { type: "refused", reason: "exhausted input" };
  try {
    const value = parseJson(text, counted.values);
    return isJsonObject(value) ? { type: "decoded", value } : { type: "refused", reason: "expected an object" };
  } catch (error) {
    if (error instanceof BeyondJsonBounds) return beyond(error.bound, error.message, counted);
    if (!(error instanceof SyntaxError)) throw error;
    return { type: "refused", reason: error.message };
  }
}

/** The refusal of a body that exceeds a limit. It is counted. */
export function beyond(name: LimitName, problem: string, counted: CountedLimits): Refused {
  counted.exceed(name);
  return { type: "refused", reason: `${problem} (--limit ${name})`, beyondLimit: name };
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

function reasonOf(message: string, pointer: string): string {
  return pointer === "" ? message : `${message} at '${pointer.slice(1).replaceAll("/", ".")}'`;
}

/** The trace id in the request header `traceparent` (W3C Trace Context). */
export function traceIdOf(headers: HeaderList): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === "traceparent")?.[1];
  return /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(value ?? "")?.[1];
}
