import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, objectsOf, textOf, textsOf } from "../../foundation/json/members.ts";
import type { ValuePath } from "./source-file.ts";

/** Kinds of names that fixtures define in lists, with the words for one of them. */
export const nameKinds = {
  contracts: "contract",
  holdings: "holding",
  identityProviders: "identity provider",
  instruments: "instrument",
  packageNames: "package name",
  packages: "package",
  parties: "party",
  synchronizers: "synchronizer",
} as const;

export type NameKind = keyof typeof nameKinds;

/** A name of something that a fixture defines elsewhere. */
export interface Reference {
  readonly kind: NameKind;
  readonly name: string;
  readonly path: ValuePath;
}

/** Whether a name is defined. */
export type IsDefined = (kind: NameKind, name: string) => boolean;

/** The references of a ledger fixture that are not defined. Allocates nothing for the others: a fixture may have a million users. */
export function danglingInLedger(root: JsonObject, isDefined: IsDefined): readonly Reference[] {
  const found: Reference[] = [];
  const look = lookInto(found, isDefined);
  objectsOf(root["users"]).forEach((user, index) => {
    look("identityProviders", user["identityProviderId"], () => ["users", index, "identityProviderId"]);
    look("parties", user["primaryParty"], () => ["users", index, "primaryParty"]);
    listOf(user["rights"]).forEach((right, place) => {
      look("parties", partyOfRight(right), () => ["users", index, "rights", place]);
    });
  });
  objectsOf(root["parties"]).forEach((party, index) => {
    look("identityProviders", party["identityProviderId"], () => ["parties", index, "identityProviderId"]);
  });
  objectsOf(root["packages"]).forEach((entry, index) => {
    for (const member of ["dependencies", "incompatibleWith"])
      textsOf(entry[member]).forEach((id, place) => {
        look("packages", id, () => ["packages", index, member, place]);
      });
  });
  objectsOf(root["synchronizers"]).forEach((synchronizer, index) => {
    listOf(synchronizer["vettedPackages"]).forEach((entry, place) => {
      const id = typeof entry === "string" ? entry : objectOf(entry)["id"];
      look("packages", id, () => ["synchronizers", index, "vettedPackages", place]);
    });
  });
  objectsOf(root["templates"]).forEach((template, index) => {
    const [name = ""] = textOf(template["template"]).slice(1).split(":");
    look("packageNames", name, () => ["templates", index, "template"]);
  });
  return found;
}

/** The references of a registry fixture that are not defined, to its own lists and to those of the ledger. */
export function danglingInRegistry(root: JsonObject, isDefined: IsDefined): readonly Reference[] {
  const found: Reference[] = [];
  const look = lookInto(found, isDefined);
  const lookInEach = (list: string, kind: NameKind, members: readonly string[]) => {
    objectsOf(root[list]).forEach((entry, index) => {
      for (const member of members) look(kind, entry[member], () => [list, index, member]);
    });
  };
  const factory = objectOf(root["factory"]);
  look("contracts", factory["contract"], () => ["factory", "contract"]);
  objectsOf(factory["context"]).forEach((entry, index) => {
    textsOf(entry["contracts"]).forEach((name, place) => {
      look("contracts", name, () => ["factory", "context", index, "contracts", place]);
    });
  });
  lookInEach("preapprovals", "contracts", ["contract", "featuredAppRight"]);
  lookInEach("preapprovals", "parties", ["receiver"]);
  lookInEach("allocations", "contracts", ["contract", "locked", "featuredAppRight"]);
  lookInEach("contracts", "synchronizers", ["synchronizer"]);
  lookInEach("holdings", "instruments", ["instrument"]);
  lookInEach("holdings", "parties", ["owner"]);
  lookInEach("preparedTransactions", "synchronizers", ["synchronizer"]);
  objectsOf(root["contracts"]).forEach((entry, index) => {
    textsOf(entry["signatories"]).forEach((party, place) => {
      look("parties", party, () => ["contracts", index, "signatories", place]);
    });
  });
  objectsOf(root["preparedTransactions"]).forEach((entry, index) => {
    const effect = objectOf(entry["effect"]);
    textsOf(entry["actAs"]).forEach((party, place) => {
      look("parties", party, () => ["preparedTransactions", index, "actAs", place]);
    });
    textsOf(effect["inputs"]).forEach((name, place) => {
      look("holdings", name, () => ["preparedTransactions", index, "effect", "inputs", place]);
    });
    for (const member of ["to", "preapprove"])
      look("parties", effect[member], () => ["preparedTransactions", index, "effect", member]);
  });
  return found;
}

/** The parties that a plan names and that are not defined; the path is that in the plan. */
export function danglingInPlan(plan: Json | undefined, isDefined: IsDefined): readonly Reference[] {
  const found: Reference[] = [];
  const look = lookInto(found, isDefined);
  objectsOf(plan).forEach((entry, index) => {
    const receiver = objectOf(entry["createPreapproval"])["receiver"];
    look("parties", receiver, () => [index, "createPreapproval", "receiver"]);
    look("parties", entry["archivePreapproval"], () => [index, "archivePreapproval"]);
    look("parties", objectOf(entry["authorizeHosting"])["party"], () => [index, "authorizeHosting", "party"]);
  });
  return found;
}

/** The party of a right, as a fixture writes it or as the API does; undefined for a right without a party. */
export function partyOfRight(right: Json): string | undefined {
  if (typeof right === "string") return undefined;
  const given = Object.values(objectOf(objectOf(right)["kind"] ?? right))[0];
  if (typeof given === "string") return given;
  const { party, value } = objectOf(given);
  return textOf(party ?? objectOf(value)["party"]) || undefined;
}

/** Adds a reference unless it is defined. An absent value, or one of another type, is no reference. */
function lookInto(
  found: Reference[],
  isDefined: IsDefined,
): (kind: NameKind, name: Json | undefined, path: () => ValuePath) => void {
  return (kind, name, path) => {
    if (typeof name === "string" && name !== "" && !isDefined(kind, name)) found.push({ kind, name, path: path() });
  };
}
