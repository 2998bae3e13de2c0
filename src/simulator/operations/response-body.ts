import type { Json } from "../../foundation/json/json.ts";
import { CachedRow } from "./row-cache.ts";

/** A response body: JSON, or members that may be sent again. */
export type ResponseBody = Json | CachedMembers;

/** A member of cached members: JSON, a list that holds rows alone, or members of its own. */
export type BodyPart = Json | readonly CachedRow[] | CachedMembers;

/** Members that are sent again as long as what they show does not change: their response is rendered once. */
export class CachedMembers {
  readonly members: Readonly<Record<string, BodyPart>>;

  constructor(members: Readonly<Record<string, BodyPart>>) {
    this.members = members;
  }
}

/** Whether a part of a body is a list of rows. */
export function isRows(part: Exclude<BodyPart, CachedMembers>): part is readonly CachedRow[] {
  return Array.isArray(part) && part[0] instanceof CachedRow;
}
