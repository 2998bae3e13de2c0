import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { percentDecoded } from "../../foundation/text/percent-decoded.ts";
import { isRequired, memberSchema, resolved, typesOf } from "./_schema.ts";
import { formatRulePath } from "./rule-path.ts";

/** Inputs for the matching rules of a response body. */
interface DerivationInputs {
  readonly description: JsonObject;
  /** JSON pointers that the conditions of a step compare: the values there must be equal. */
  readonly exactPointers: ReadonlySet<string>;
  /** Texts of the request: where the response repeats one, the value must be equal. */
  readonly requestTexts: ReadonlySet<string>;
}

interface DerivedBody {
  readonly value: Json;
  /** Rules by path, as in `matchingRules.body` of a Pact of version 4. */
  readonly rules: Readonly<Record<string, JsonObject>>;
}

interface Place {
  readonly value: Json;
  readonly schema: JsonObject;
  readonly pointer: string;
  readonly path: readonly (string | number)[];
}

/**
 * Derives the body and the matching rules of a response. Identifiers match by syntax; enumerations and texts of the request
 * match by equality; all other values match by type. Members with the value null are dropped, and so are optional members
 * of schemas that have required ones.
 */
export function deriveBody(inputs: DerivationInputs, value: Json, schema: JsonObject): DerivedBody {
  const rules: Record<string, JsonObject> = {};
  const derived = derive(inputs, { value, schema, pointer: "", path: [] }, rules);
  return { value: derived, rules };
}

function derive(inputs: DerivationInputs, place: Place, rules: Record<string, JsonObject>): Json {
  const { value, schema, path, pointer } = place;
  const below = (part: string | number, inner: Json, innerSchema: Json | undefined): Json => {
    const at = {
      value: inner,
      schema: resolved(inputs.description, innerSchema),
      pointer: `${pointer}/${escapeSegment(String(part))}`,
      path: [...path, part],
    };
    return derive(inputs, at, rules);
  };
  if (Array.isArray(value)) return value.map((element, index) => below(index, element, schema["items"]));
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(
      ([name, inner]) => inner !== null && !isIncidental(inputs, place, name),
    );
    return Object.fromEntries(
      members.map(([name, inner]) => [
        name,
        below(name, inner, memberSchema(schema, name) ?? schema["additionalProperties"]),
      ]),
    );
  }
  const matcher = matcherOf(inputs, place);
  if (matcher !== undefined) rules[formatRulePath(path)] = { combine: "AND", matchers: [matcher] };
  return value;
}

/** Whether a member is optional in a schema with required members, and no condition compares it. */
function isIncidental({ exactPointers }: DerivationInputs, { schema, pointer }: Place, name: string): boolean {
  const { required } = schema;
  const isOptional = Array.isArray(required) && required.length > 0 && !isRequired(schema, name);
  if (!isOptional || memberSchema(schema, name) === undefined) return false;
  const place = `${pointer}/${escapeSegment(name)}`;
  return ![...exactPointers].some((each) => each === place || each.startsWith(`${place}/`));
}

/** Matcher of a value; undefined if the value must be equal. */
function matcherOf(
  { exactPointers, requestTexts }: DerivationInputs,
  { value, schema, pointer }: Place,
): JsonObject | undefined {
  if (exactPointers.has(pointer) || Array.isArray(schema["enum"])) return undefined;
  if (typeof value === "string") return textMatcher(requestTexts, value, schema);
  if (typeof value === "number" || typeof value === "bigint")
    return { match: typesOf(schema)?.includes("integer") ? "integer" : "number" };
  return typeof value === "boolean" ? { match: "boolean" } : undefined;
}

/** Codes of errors: they are public, so they match by equality. */
const codes: ReadonlySet<string> = new Set(contracts.errorCodes.codes.map(({ code }) => code));

function textMatcher(requestTexts: ReadonlySet<string>, value: string, schema: JsonObject): JsonObject | undefined {
  if (requestTexts.has(value) || codes.has(value)) return undefined;
  const syntax = contracts.identifiers.find(({ name }) => name === schema["x-identifier"]);
  if (syntax !== undefined && new RegExp(syntax.pattern, "u").test(value))
    return { match: "regex", regex: syntax.pattern };
  return { match: "type" };
}

/** Every text in a request's body, and the parts of its target. */
export function textsIn(target: string, body: Json | undefined): ReadonlySet<string> {
  const texts = new Set<string>();
  const [path = "", query = ""] = target.split("?");
  for (const segment of path.split("/")) texts.add(percentDecoded(segment));
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
