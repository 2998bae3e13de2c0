import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { CachedMembers } from "./cached-members.ts";
import { CachedRow } from "./row-cache.ts";

/** A response body: a cached page, or JSON with cached rows in at most two objects. */
export type ResponseBody = CachedMembers<BodyMembers<BodyPart>> | UncachedBody;

export type UncachedBody = BodyPart | BodyMembers<InnerPart>;

/** A part of a body, or an object of parts, which may be cached. */
export type InnerPart = BodyPart | CachedMembers<BodyMembers<BodyPart>> | BodyMembers<BodyPart>;

/** JSON, a row, or a list that holds rows alone. */
export type BodyPart = Json | CachedRow | readonly CachedRow[];

export interface BodyMembers<Member> {
  readonly [name: string]: Member;
}

/** Whether a part of a body has members. */
export function hasMembers<Member>(value: BodyPart | BodyMembers<Member>): value is JsonObject | BodyMembers<Member> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof CachedRow);
}

export function isCachedMembers(value: ResponseBody | InnerPart): value is CachedMembers<BodyMembers<BodyPart>> {
  return value instanceof CachedMembers;
}

/** Whether a part of a body is a list of rows. */
export function isRows(value: BodyPart): value is readonly CachedRow[] {
  return Array.isArray(value) && value[0] instanceof CachedRow;
}
