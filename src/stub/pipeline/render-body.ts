import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Shape } from "../../foundation/spec/shape.ts";
import {
  type BodyMembers,
  type BodyPart,
  hasMembers,
  type InnerPart,
  isRows,
  type UncachedBody,
} from "../../simulator/operations/response-body.ts";
import { CachedRow } from "../../simulator/operations/row-cache.ts";
import { omitNulls } from "./omit-nulls.ts";

/**
 * Renders a response body as JSON text, in consecutive parts. A shape omits the null members that it names. The cached texts
 * of rows are used without a copy.
 */
export function renderBody(body: UncachedBody, shape: Shape | undefined): readonly string[] {
  const parts: string[] = [];
  if (hasMembers(body)) writeMembers(body, shape, parts, writeInner);
  else writePart(body, shape, parts);
  return parts;
}

/** The value that `renderBody` writes. The cached JSON of rows is used without a copy. */
export function sentJson(body: UncachedBody, shape: Shape | undefined): Json {
  return hasMembers(body) ? sentMembers(body, shape, sentInner) : sentPart(body, shape);
}

function sentInner(value: InnerPart, shape: Shape | undefined): Json {
  return hasMembers(value) ? sentMembers(value, shape, sentPart) : sentPart(value, shape);
}

function sentMembers<Member>(
  members: BodyMembers<Member>,
  shape: Shape | undefined,
  sent: (member: Member, shape: Shape | undefined) => Json,
): JsonObject {
  const kept: [string, Json][] = [];
  for (const [name, member] of Object.entries(members)) {
    const innerShape = shape?.properties.get(name);
    if (!isOmitted(member, innerShape)) kept.push([name, sent(member, innerShape)]);
  }
  return Object.fromEntries(kept);
}

function sentPart(part: BodyPart, shape: Shape | undefined): Json {
  if (part instanceof CachedRow) return part.sent(shape, shown).json;
  return isRows(part) ? part.map((row) => row.sent(shape?.items, shown).json) : shown(shape, part);
}

function isOmitted(member: unknown, shape: Shape | undefined): boolean {
  return member === undefined || (member === null && shape !== undefined);
}

function writeInner(value: InnerPart, shape: Shape | undefined, parts: string[]): void {
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
    if (member === undefined || isOmitted(member, innerShape)) continue;
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
