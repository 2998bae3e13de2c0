import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { memberAt } from "../members.ts";

/** A right as a text that is the same for the same right; undefined where its kind is not shown. */
export function rightKey(right: Json): string | undefined {
  const kinds = memberAt(right, "kind");
  if (!isJsonObject(kinds)) return undefined;
  // Of several cases in a wrapper a node takes the first by name (Canton 3.5, CirceRelaxedCodec.scala).
  const kind = Object.keys(kinds).sort()[0];
  if (kind === undefined) return undefined;
  const party = memberAt(kinds, kind, "value", "party");
  return typeof party === "string" ? `${kind} ${party}` : kind;
}
