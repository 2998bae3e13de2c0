import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { partyRightKinds, type Right, unitRightKinds } from "../../ledger/right.ts";

/** A right as JSON: a one-key wrapper (Canton 3.5, openapi.yaml). */
export function rightJson(right: Right): JsonObject {
  return { kind: { [right.type]: { value: "party" in right ? { party: right.party } : {} } } };
}

/** The right in a wrapper; undefined for `Empty` and for an empty wrapper. */
export function rightFrom(json: Json): Right | undefined {
  const kind = isJsonObject(json) ? json["kind"] : undefined;
  if (!isJsonObject(kind)) return undefined;
  const name = Object.keys(kind)[0];
  const unit = unitRightKinds.find((candidate) => candidate === name);
  if (unit !== undefined) return { type: unit };
  const type = partyRightKinds.find((candidate) => candidate === name);
  return type === undefined ? undefined : { type, party: partyOf(kind[type]) };
}

function partyOf(wrapper: Json | undefined): string {
  const value = isJsonObject(wrapper) ? wrapper["value"] : undefined;
  const party = isJsonObject(value) ? value["party"] : undefined;
  return typeof party === "string" ? party : "";
}
