import { formatJson, isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";
import { sentRow } from "../../simulator/operations/row-cache.ts";
import { omitNulls } from "./omit-nulls.ts";

/** Maximum number of objects that enclose a list of rows. */
const rowDepthMax = 2;

/**
 * Renders a response body as JSON text, in consecutive parts. A shape omits the null members that it names. Rows of the
 * state appear in lists; their cached texts are used without a copy.
 */
export function renderBody(body: Json, shape: Shape | undefined): readonly string[] {
  const parts: string[] = [];
  writeValue(body, shape, rowDepthMax, parts);
  return parts;
}

function writeValue(value: Json, shape: Shape | undefined, depth: number, parts: string[]): void {
  const row = sentRow(value, (same) => shown(same, shape));
  if (row !== undefined) parts.push(row.text);
  else if (isList(value)) writeList(value, shape, parts);
  else if (isJsonObject(value) && depth > 0) writeObject(value, shape, depth, parts);
  else parts.push(plainText(value, shape));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function plainText(value: Json, shape: Shape | undefined): string {
  return formatJson(shown(value, shape));
}

function shown(value: Json, shape: Shape | undefined): Json {
  return shape === undefined ? value : omitNulls(shape, value);
}

function writeObject(value: JsonObject, shape: Shape | undefined, depth: number, parts: string[]): void {
  let separator = "{";
  for (const name of Object.keys(value)) {
    const inner = value[name] ?? null;
    const innerShape = shape?.properties.get(name);
    if (inner === null && innerShape !== undefined) continue;
    parts.push(`${separator}${JSON.stringify(name)}:`);
    separator = ",";
    writeValue(inner, innerShape, depth - 1, parts);
  }
  parts.push(separator === "{" ? "{}" : "}");
}

/** Checks the first element only: a list holds either rows alone or no rows. */
function writeList(list: readonly Json[], shape: Shape | undefined, parts: string[]): void {
  const show = (row: Json) => shown(row, shape?.items);
  if (sentRow(list[0] ?? null, show) === undefined) {
    parts.push(plainText(list, shape));
    return;
  }
  let separator = "[";
  for (const row of list) {
    parts.push(separator, sentRow(row, show)?.text ?? formatJson(show(row)));
    separator = ",";
  }
  parts.push("]");
}
