import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { memberAt } from "../members.ts";

/** A right as a comparable text; undefined if its kind is missing. */
export function rightKey(right: Json): string | undefined {
  const kinds = memberAt(right, "kind");
  if (!isJsonObject(kinds)) return undefined;
  // A node takes the first of several cases in alphabetical order (Canton 3.5, CirceRelaxedCodec.scala).
  const kind = Object.keys(kinds).sort()[0];
  if (kind === undefined) return undefined;
  const party = memberAt(kinds, kind, "value", "party");
  return typeof party === "string" ? `${kind} ${party}` : kind;
}
