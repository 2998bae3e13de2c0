import {
  formatJson,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonOf,
  textOfJson,
} from "../../foundation/json/json.ts";
import { objectsOf, textOf } from "../../foundation/json/members.ts";
import { segmentsOf } from "../../foundation/spec/operation.ts";
import { type ExpressionScope, substitute, withValues } from "./conditions/expression.ts";

/** The body of a request: the payload with its values, and with its replacements; empty without a payload. */
export function payloadOf(requestBody: JsonObject, contentType: string, scope: ExpressionScope): string {
  const { payload } = requestBody;
  const replacements = objectsOf(requestBody["replacements"]);
  if (payload === undefined && replacements.length === 0) return "";
  const value = withPayloadValues(payload ?? {}, contentType, scope);
  const parsed = typeof value === "string" && replacements.length > 0 ? (jsonOf(value) ?? value) : value;
  const replaced = replacements.reduce<Json>(
    (whole, entry) =>
      withValueAt(whole, segmentsOf(textOf(entry["target"])), substitute(entry["value"] ?? null, scope)),
    parsed,
  );
  if (contentType !== "application/x-www-form-urlencoded" || !isJsonObject(replaced)) return textOfJson(replaced);
  return new URLSearchParams(
    Object.entries(replaced).map(([name, each]): [string, string] => [name, textOfJson(each)]),
  ).toString();
}

/** In a text with JSON, a text is escaped, so that the result is JSON too. */
function withPayloadValues(payload: Json, contentType: string, scope: ExpressionScope): Json {
  if (typeof payload !== "string" || payload.startsWith("$")) return substitute(payload, scope);
  const isJson = /[/+]json\b/.test(contentType);
  return withValues(payload, scope, (value) =>
    isJson && typeof value === "string" ? formatJson(value).slice(1, -1) : textOfJson(value),
  );
}

/** A copy with another value at a JSON pointer. A missing member is added; `-` is the place after the end of a list. */
function withValueAt(whole: Json, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  if (Array.isArray(whole)) {
    const index = name === "-" ? whole.length : Number(name);
    return Object.assign([...whole], { [index]: withValueAt(whole[index] ?? {}, rest, value) });
  }
  const members = isJsonObject(whole) ? whole : {};
  return { ...members, [name]: withValueAt(members[name] ?? {}, rest, value) };
}
