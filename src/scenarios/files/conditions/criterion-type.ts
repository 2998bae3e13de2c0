import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import { string } from "../_reader.ts";

/** The type of a criterion. `type` is a name, or an object with the version of the language. */
export function criterionType(criterion: JsonObject): string {
  return string(criterion["type"], string(objectOf(criterion["type"])["type"], "simple"));
}
