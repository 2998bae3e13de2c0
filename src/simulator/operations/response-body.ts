import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { CachedPage } from "./page-cache.ts";
import { CachedRow } from "./row-cache.ts";

/** A response body: a cached page, or JSON with cached rows in at most two objects. */
export type ResponseBody = CachedPage<BodyMembers<BodyPart>> | UncachedBody;

export type UncachedBody = BodyPart | BodyMembers<BodyPart | BodyMembers<BodyPart>>;

/** JSON, a row, or a list that holds rows alone. */
export type BodyPart = Json | CachedRow | readonly CachedRow[];

export interface BodyMembers<Member> {
  readonly [name: string]: Member;
}

/** Whether a part of a body has members. */
export function hasMembers<Member>(value: BodyPart | BodyMembers<Member>): value is JsonObject | BodyMembers<Member> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof CachedRow);
}

/** Whether a part of a body is a list of rows. */
export function isRows(value: BodyPart): value is readonly CachedRow[] {
  return Array.isArray(value) && value[0] instanceof CachedRow;
}
