import { formatJson, type Json } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";
import {
  type BodyMembers,
  type BodyPart,
  hasMembers,
  isRows,
  plainJson,
  type ResponseBody,
} from "../../simulator/operations/response-body.ts";
import { CachedRow } from "../../simulator/operations/row-cache.ts";
import { omitNulls } from "./omit-nulls.ts";

/**
 * Renders a response body as JSON text, in consecutive parts. A shape omits the null members that it names. The cached texts
 * of rows are used without a copy.
 */
export function renderBody(body: ResponseBody, shape: Shape | undefined): readonly string[] {
  const parts: string[] = [];
  if (hasMembers(body)) writeMembers(body, shape, parts, writeInner);
  else writePart(body, shape, parts);
  return parts;
}

/** The value that `renderBody` writes. */
export function sentJson(body: ResponseBody, shape: Shape | undefined): Json {
  return shown(shape, plainJson(body));
}

function writeInner(value: BodyPart | BodyMembers<BodyPart>, shape: Shape | undefined, parts: string[]): void {
  if (hasMembers(value)) writeMembers(value, shape, parts, writePart);
  else writePart(value, shape, parts);
}

function writeMembers<Member>(
  members: BodyMembers<Member>,
  shape: Shape | undefined,
  parts: string[],
  write: (member: Member, shape: Shape | undefined, parts: string[]) => void,
): void {
  let separator = "{";
  for (const name of Object.keys(members)) {
    const member = members[name];
    const innerShape = shape?.properties.get(name);
    if (member === undefined || (member === null && innerShape !== undefined)) continue;
    parts.push(`${separator}${JSON.stringify(name)}:`);
    separator = ",";
    write(member, innerShape, parts);
  }
  parts.push(separator === "{" ? "{}" : "}");
}

function writePart(part: BodyPart, shape: Shape | undefined, parts: string[]): void {
  if (part instanceof CachedRow) parts.push(part.sent(shape, shown).text);
  else if (!isRows(part)) parts.push(formatJson(shown(shape, part)));
  else {
    let separator = "[";
    for (const row of part) {
      parts.push(separator, row.sent(shape?.items, shown).text);
      separator = ",";
    }
    parts.push("]");
  }
}

function shown(shape: Shape | undefined, value: Json): Json {
  return shape === undefined ? value : omitNulls(shape, value);
}
