import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { isRequired, memberSchema, resolved, typesOf } from "./_schema.ts";
import { formatRulePath } from "./rule-path.ts";

/** What a body's rules are derived with. */
export interface Derivation {
  readonly description: JsonObject;
  /** JSON pointers that a step's conditions speak of: what stands there is meant to the letter. */
  readonly meant: ReadonlySet<string>;
  /** Texts of the request: a response that repeats one has to repeat it to the letter. */
  readonly requested: ReadonlySet<string>;
}

export interface DerivedBody {
  readonly value: Json;
  /** By path, as a Pact of version 4 has them under `body`. */
  readonly rules: Readonly<Record<string, JsonObject>>;
}

interface Place {
  readonly value: Json;
  readonly schema: JsonObject;
  readonly pointer: string;
  readonly path: readonly (string | number)[];
}

/**
 * A response as a consumer relies on it: identifiers by their syntax, what the contract enumerates and what was asked
 * for to the letter, everything else by its type. Members that are null say nothing and are left out, as are those
 * that a schema does not promise beside others that it does.
 */
export function deriveBody(derivation: Derivation, value: Json, schema: JsonObject): DerivedBody {
  const rules: Record<string, JsonObject> = {};
  const derived = derive(derivation, { value, schema, pointer: "", path: [] }, rules);
  return { value: derived, rules };
}

function derive(derivation: Derivation, place: Place, rules: Record<string, JsonObject>): Json {
  const { value, schema, path, pointer } = place;
  const below = (part: string | number, inner: Json, innerSchema: Json | undefined): Json => {
    const at = {
      value: inner,
      schema: resolved(derivation.description, innerSchema),
      pointer: `${pointer}/${escapeSegment(String(part))}`,
      path: [...path, part],
    };
    return derive(derivation, at, rules);
  };
  if (Array.isArray(value)) return value.map((element, index) => below(index, element, schema["items"]));
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(
      ([name, inner]) => inner !== null && !isIncidental(derivation, place, name),
    );
    return Object.fromEntries(
      members.map(([name, inner]) => [
        name,
        below(name, inner, memberSchema(schema, name) ?? schema["additionalProperties"]),
      ]),
    );
  }
  const matcher = matcherOf(derivation, place);
  if (matcher !== undefined) rules[formatRulePath(path)] = { combine: "AND", matchers: [matcher] };
  return value;
}

/** Whether a schema that promises some members does not promise this one, and no condition speaks of it. */
function isIncidental({ meant }: Derivation, { schema, pointer }: Place, name: string): boolean {
  const { required } = schema;
  const isOptional = Array.isArray(required) && required.length > 0 && !isRequired(schema, name);
  if (!isOptional || memberSchema(schema, name) === undefined) return false;
  const place = `${pointer}/${escapeSegment(name)}`;
  return ![...meant].some((each) => each === place || each.startsWith(`${place}/`));
}

/** Undefined where the value is meant to the letter. */
function matcherOf({ meant, requested }: Derivation, { value, schema, pointer }: Place): JsonObject | undefined {
  if (meant.has(pointer) || Array.isArray(schema["enum"])) return undefined;
  if (typeof value === "string") return textMatcher(requested, value, schema);
  if (typeof value === "number" || typeof value === "bigint")
    return { match: typesOf(schema)?.includes("integer") ? "integer" : "number" };
  return typeof value === "boolean" ? { match: "boolean" } : undefined;
}

/** Codes of errors are public and have a meaning of their own. */
const codes: ReadonlySet<string> = new Set(contracts.errorCodes.codes.map(({ code }) => code));

function textMatcher(requested: ReadonlySet<string>, value: string, schema: JsonObject): JsonObject | undefined {
  if (requested.has(value) || codes.has(value)) return undefined;
  const syntax = contracts.identifiers.find(({ name }) => name === schema["x-identifier"]);
  if (syntax !== undefined && new RegExp(syntax.pattern, "u").test(value))
    return { match: "regex", regex: syntax.pattern };
  return { match: "type" };
}

/** Every text in a request's body, and the parts of its target. */
export function textsIn(target: string, body: Json | undefined): ReadonlySet<string> {
  const texts = new Set<string>();
  const [path = "", query = ""] = target.split("?");
  for (const segment of path.split("/")) texts.add(decoded(segment));
  for (const value of new URLSearchParams(query).values()) texts.add(value);
  gather(body, texts);
  texts.delete("");
  return texts;
}

function gather(value: Json | undefined, texts: Set<string>): void {
  if (typeof value === "string") texts.add(value);
  else if (Array.isArray(value)) for (const element of value) gather(element, texts);
  else if (isJsonObject(value)) for (const inner of Object.values(value)) gather(inner, texts);
}

/** A malformed escape stays as it was sent. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return segment;
  }
}
