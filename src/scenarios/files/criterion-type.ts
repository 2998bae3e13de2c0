import type { JsonObject } from "../../foundation/json/json.ts";
import { object, string } from "./_reader.ts";

/** The type of a criterion. `type` is a name, or an object with the version of the language. */
export function criterionType(criterion: JsonObject): string {
  return string(criterion["type"], string(object(criterion["type"])["type"], "simple"));
}
