import type { Json, JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, optionalTextOf, textOf } from "../../../foundation/json/members.ts";
import { microsOfInstant } from "../../../foundation/protobuf/instant.ts";
import { instantOfMicros } from "../../daml/daml-json.ts";
import type { Package } from "../../ledger/ledger-state.ts";
import { nodeError, type Refusal } from "../refusal.ts";

/** A vetting change with its package references. Bounds are ISO-8601 in UTC. */
export type VettingChange =
  | {
      readonly type: "vet";
      readonly references: readonly PackageReference[];
      readonly validFrom: string | undefined;
      readonly validUntil: string | undefined;
    }
  | { readonly type: "unvet"; readonly references: readonly PackageReference[] };

/** A reference by id, by name, by name and version, or by all three. */
interface PackageReference {
  readonly shown: string;
  matches(candidate: Package): boolean;
}

type ReadVettingChange =
  | { readonly type: "read"; readonly change: VettingChange }
  | { readonly type: "refused"; readonly refusal: Refusal };

export function readVettingChange(entry: JsonObject): ReadVettingChange {
  const operation = objectOf(entry["operation"]);
  const isVet = operation["Vet"] !== undefined;
  if (!isVet && operation["Unvet"] === undefined) return uninterpretable("a change has neither vet nor unvet");
  const value = objectOf(objectOf(operation[isVet ? "Vet" : "Unvet"])["value"]);
  const references = objectsOf(value["packages"]).map(referenceFrom);
  const misread = references.find((reference) => typeof reference === "string");
  if (typeof misread === "string") return uninterpretable(misread);
  const read = references.filter((reference) => typeof reference !== "string");
  if (!isVet) return { type: "read", change: { type: "unvet", references: read } };
  const [validFrom, validUntil] = [
    instantIn(value["newValidFromInclusive"]),
    instantIn(value["newValidUntilExclusive"]),
  ];
  if (validFrom === false || validUntil === false) return uninterpretable("a validity bound is not a valid timestamp");
  return { type: "read", change: { type: "vet", references: read, validFrom, validUntil } };
}

/** The timestamp in UTC to the microsecond; false for an invalid timestamp. */
function instantIn(value: Json | undefined): string | undefined | false {
  const text = optionalTextOf(value);
  if (text === undefined) return undefined;
  const micros = microsOfInstant(text);
  return micros !== undefined && instantOfMicros(micros);
}

/** The reference, or its problem: an id with only a name, or with only a version, is invalid (Canton 3.5, ApiPackageManagementService.scala). */
function referenceFrom(entry: JsonObject): PackageReference | string {
  const [id, name, version] = [
    textOf(entry["packageId"]),
    textOf(entry["packageName"]),
    textOf(entry["packageVersion"]),
  ];
  const combination = `${id === "" ? "" : "id"}${name === "" ? "" : "name"}${version === "" ? "" : "version"}`;
  if (!["id", "name", "nameversion", "idnameversion"].includes(combination))
    return "a package reference names an id, a name, a name and a version, or all three";
  return {
    shown: [id, name, version].filter((part) => part !== "").join(" "),
    matches: (candidate) =>
      (id === "" || id === candidate.id) &&
      (name === "" || name === candidate.name) &&
      (version === "" || version === candidate.version),
  };
}

function uninterpretable(reason: string): ReadVettingChange {
  const refusal = nodeError("PROTO_DESERIALIZATION_FAILURE", "Deserialization of protobuf message failed", {
    context: { reason },
  });
  return { type: "refused", refusal };
}
