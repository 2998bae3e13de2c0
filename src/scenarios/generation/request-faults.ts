import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { escapeSegment, memberObject } from "../../foundation/spec/operation.ts";
import { followed } from "./request-schema.ts";

/** A single fault of a request. */
export interface Fault {
  /** The kind of the fault. Faults are drawn by it, so it does not follow changes of `what`. */
  readonly id: string;
  /** A sentence without its full stop. */
  readonly what: string;
  /** JSON pointer into the body; empty for the whole body, undefined for a fault outside the body. */
  readonly pointer: string | undefined;
  /** The violated schema keyword. */
  readonly keyword: string;
}

interface PlantedFault extends Fault {
  readonly body: Json;
}

/** A wrong value; undefined removes the member. */
interface Wrong {
  readonly id: string;
  readonly keyword: string;
  readonly what: string;
  readonly value: Json | undefined;
}

/** All single faults that fit into a valid body. */
export function faultsOf(description: JsonObject, schema: JsonObject, body: Json): readonly PlantedFault[] {
  return placesIn(description, schema, body, []).flatMap(({ path, shape, value, isRequired }) => {
    const pointer = path.map((segment) => `/${escapeSegment(segment)}`).join("");
    const name = path.length === 0 ? "the body" : path.join(".");
    return wrongs(shape, value, isRequired).map(({ id, keyword, what, value: wrong }) => ({
      id,
      keyword,
      what: `${name} ${what}`,
      pointer,
      body: replaced(body, path, wrong) ?? null,
    }));
  });
}

interface Place {
  readonly path: readonly string[];
  readonly shape: JsonObject;
  readonly value: Json;
  readonly isRequired: boolean;
}

function placesIn(
  description: JsonObject,
  schema: JsonObject,
  value: Json,
  path: readonly string[],
  isRequired = false,
): readonly Place[] {
  const shape = followed(description, schema);
  const here = { path, shape, value, isRequired };
  if (Array.isArray(value)) {
    const items = memberObject(shape, "items");
    return [here, ...value.flatMap((entry, index) => placesIn(description, items, entry, [...path, String(index)]))];
  }
  if (!isJsonObject(value)) return [here];
  const required = Array.isArray(shape["required"]) ? shape["required"] : [];
  const inner = Object.entries(value).flatMap(([name, member]) => {
    const known = memberObject(shape, "properties")[name];
    return isJsonObject(known) ? placesIn(description, known, member, [...path, name], required.includes(name)) : [];
  });
  return [here, ...inner];
}

function wrongs(shape: JsonObject, value: Json, isRequired: boolean): readonly Wrong[] {
  const missing = isRequired ? [{ id: "missing", keyword: "required", what: "is missing", value: undefined }] : [];
  return [...missing, ...illTyped(shape), ...outOfBounds(shape, value)];
}

function illTyped(shape: JsonObject): readonly Wrong[] {
  const wrong = (id: string, what: string, value: Json) => ({ id, keyword: "type", what, value });
  switch (shape["type"]) {
    case "string":
      return [wrong("number", "is a number", 5), wrong("null", "is null", null)];
    case "boolean":
      return [wrong("text", "is a text", "yes"), wrong("null", "is null", null)];
    case "integer":
      return [wrong("text", "is a text", "many"), wrong("fraction", "is a fraction", 1.5)];
    case "array":
      return [wrong("text", "is a text", "all"), wrong("null", "is null", null)];
    case "object":
      return [wrong("text", "is a text", "all"), wrong("list", "is a list", [])];
    default:
      return [];
  }
}

/** Values outside 32 and 64 bits. */
const tooLarge: Readonly<Record<string, Json>> = { int32: 2 ** 31, int64: 2n ** 63n };

function outOfBounds(shape: JsonObject, value: Json): readonly Wrong[] {
  const large = tooLarge[String(shape["format"])];
  const isTyped = typeof shape["type"] === "string";
  return [
    ...(shape["enum"] === undefined
      ? []
      : [{ id: "unknown-name", keyword: "enum", what: "is an unknown name", value: "NO_SUCH_NAME" }]),
    ...(shape["contentEncoding"] === "base64"
      ? [{ id: "not-base64", keyword: "contentEncoding", what: "is not base64", value: "not base64!" }]
      : []),
    ...(isTyped && large !== undefined
      ? [{ id: "too-large", keyword: "format", what: "is too large", value: large }]
      : []),
    ...(shape["format"] === "date-time"
      ? [{ id: "not-a-timestamp", keyword: "format", what: "is not a timestamp", value: "yesterday" }]
      : []),
    ...(Number(shape["minItems"] ?? 0) > 0 && Array.isArray(value)
      ? [{ id: "empty", keyword: "minItems", what: "is empty", value: [] }]
      : []),
    ...(shape["x-one-key-wrapper"] === true
      ? [{ id: "unknown-case", keyword: "additionalProperties", what: "has no known case", value: { NoSuchCase: {} } }]
      : []),
  ];
}

/** Replaces the value at a path; undefined removes it. */
function replaced(value: Json, [first, ...rest]: readonly string[], wrong: Json | undefined): Json | undefined {
  if (first === undefined) return wrong;
  if (Array.isArray(value))
    return value.map((entry, index) => (String(index) === first ? (replaced(entry, rest, wrong) ?? null) : entry));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const kept = name === first ? replaced(inner, rest, wrong) : inner;
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(members);
}
