import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { CachedRow } from "./row-cache.ts";

/** A response body: JSON with cached rows in at most two objects, which may be cached as a whole. */
export type ResponseBody = CachedMembers | UncachedBody;

/** Members that are sent again as long as what they show does not change: their response is rendered once. */
export class CachedMembers {
  readonly members: BodyMembers<InnerPart>;

  constructor(members: BodyMembers<InnerPart>) {
    this.members = members;
  }
}

export type UncachedBody = BodyPart | BodyMembers<InnerPart>;

/** A part of a body, or an object of parts. */
export type InnerPart = BodyPart | BodyMembers<BodyPart>;

/** JSON, a row, or a list that holds rows alone. */
export type BodyPart = Json | CachedRow | readonly CachedRow[];

export interface BodyMembers<Member> {
  readonly [name: string]: Member;
}

/** Whether a part of a body has members. */
export function hasMembers<Member>(value: BodyPart | BodyMembers<Member>): value is JsonObject | BodyMembers<Member> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof CachedRow);
}

export function isCachedMembers(body: ResponseBody): body is CachedMembers {
  return body instanceof CachedMembers;
}

/** Whether a part of a body is a list of rows. */
export function isRows(value: BodyPart): value is readonly CachedRow[] {
  return Array.isArray(value) && value[0] instanceof CachedRow;
}

/** Whether a body holds no rows and no absent members. */
export function isPlainJson(body: UncachedBody): body is Json {
  if (!hasMembers(body)) return isPlainPart(body);
  for (const name in body) if (!isPlainInner(body[name])) return false;
  return true;
}

function isPlainInner(value: InnerPart | undefined): boolean {
  if (value === undefined || !hasMembers(value)) return isPlainPart(value);
  for (const name in value) if (!isPlainPart(value[name])) return false;
  return true;
}

function isPlainPart(part: BodyPart | undefined): boolean {
  return part !== undefined && !(part instanceof CachedRow) && !isRows(part);
}
