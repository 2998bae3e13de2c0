import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { listOf, objectOf, objectsOf, optionalTextOf, textOf, textsOf } from "../../foundation/json/members.ts";
import { fingerprintOf } from "../../foundation/protobuf/fingerprint.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { tableOf } from "../../foundation/table/table.ts";
import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import { LazyRights } from "../../simulator/ledger/lazy-rights.ts";
import {
  type IdentityProvider,
  keySpecs,
  type LedgerState,
  type Package,
  type Party,
  partyRightKinds,
  type Right,
  type SigningKey,
  type Synchronizer,
  type Template,
  type User,
  unitRightKinds,
  type VettedPackage,
} from "../../simulator/ledger/ledger-state.ts";
import { boolean, checkIdentifier, checkUnique, noProblems, number, problemsIn, string } from "./_reader.ts";
import type { Problem } from "./problem.ts";
import { partyOfRight } from "./references.ts";
import type { SourceFile } from "./source-file.ts";

const deduplicationMsDefault = 7 * 24 * 3600 * 1000;
const allocationMsDefault = 1000;

/** Problems of a ledger fixture that its schema cannot detect, without those of references. */
export function checkLedgerFixture(source: SourceFile): readonly Problem[] {
  const root = objectOf(source.value);
  const lists = [
    ["users", "userId"],
    ["parties", "partyId"],
    ["packages", "packageId"],
    ["synchronizers", "synchronizerId"],
  ] as const;
  const ids = lists.flatMap(([list, syntax]) =>
    problemsIn(objectsOf(root[list]), (entry, index) => {
      const needed = list === "parties" && !isHosted(entry) ? "damlParty" : syntax;
      return isIdentifier(needed, id(entry))
        ? noProblems
        : checkIdentifier(source, needed, id(entry), [list, index, "id"]);
    }),
  );
  const twice = ["users", "parties", "packages", "synchronizers", "identityProviders"].flatMap((list) =>
    checkUnique(source, list, "id", objectsOf(root[list])),
  );
  return [
    ...checkIdentifier(source, "participantId", textOf(root["participantId"]), ["participantId"]),
    ...ids,
    ...twice,
    ...checkParties(source, root),
  ];
}

/** Checks the syntax of referenced parties and participants. */
function checkParties(source: SourceFile, root: JsonObject): readonly Problem[] {
  const ofUsers = problemsIn(objectsOf(root["users"]), (user, index) => {
    const primary = textOf(user["primaryParty"]);
    const ofPrimary =
      primary === "" || isIdentifier("damlParty", primary)
        ? noProblems
        : checkIdentifier(source, "damlParty", primary, ["users", index, "primaryParty"]);
    const ofRights = problemsIn(listOf(user["rights"]), (entry, place) => {
      const party = partyOfRight(entry);
      return party === undefined || isIdentifier("damlParty", party)
        ? noProblems
        : checkIdentifier(source, "damlParty", party, ["users", index, "rights", place]);
    });
    return ofPrimary.length + ofRights.length === 0 ? noProblems : [...ofPrimary, ...ofRights];
  });
  const ofHosts = problemsIn(objectsOf(root["parties"]), (party, index) =>
    problemsIn(textsOf(party["hostedBy"]), (host, place) =>
      checkIdentifier(source, "participantId", host, ["parties", index, "hostedBy", place]),
    ),
  );
  return [...ofUsers, ...ofHosts, ...checkUnique(source, "synchronizers", "alias", objectsOf(root["synchronizers"]))];
}

/** The ledger state of a checked fixture. */
export function ledgerFrom(source: SourceFile): LedgerState {
  const root = objectOf(source.value);
  const participantId = textOf(root["participantId"]);
  const limits = objectOf(root["limits"]);
  return {
    participantId,
    users: tableOf(objectsOf(root["users"]).map((entry) => row(entry, userFrom(entry)))),
    parties: tableOf(
      objectsOf(root["parties"])
        .filter(isHosted)
        .map((entry) => row(entry, partyFrom(entry, participantId))),
    ),
    namespaces: tableOf([]),
    proposals: tableOf([]),
    templates: new Map(objectsOf(root["templates"]).map(templateFrom)),
    packages: tableOf(objectsOf(root["packages"]).map((entry) => row(entry, packageFrom(entry)))),
    synchronizers: tableOf(objectsOf(root["synchronizers"]).map((entry) => row(entry, synchronizerFrom(entry)))),
    identityProviders: tableOf(objectsOf(root["identityProviders"]).map((entry) => row(entry, providerFrom(entry)))),
    ledgerEnd: BigInt(textOf(root["ledgerEnd"]) || number(root["ledgerEnd"], 0)),
    commands: tableOf([]),
    oldestCommandMs: Number.POSITIVE_INFINITY,
    contracts: tableOf([]),
    updates: tableOf([]),
    enabledFeatures: new Set(
      Object.entries(objectOf(root["deprecatedFeatures"])).flatMap(([name, is]) => (is === true ? [name] : [])),
    ),
    limits: {
      identityProvidersMax: 16,
      partiesPageSizeMax: number(limits["partiesPageSizeMax"], 10_000),
      usersPageSizeDefault: number(limits["usersPageSizeDefault"], 1000),
      usersPageSizeMax: number(limits["usersPageSizeMax"], 1000),
      rightsPerUserMax: number(limits["rightsPerUserMax"], 1000),
      annotationsBytesMax: number(limits["annotationsBytesMax"], 256 * 1024),
      deduplicationMsMax: durationMs(textOf(limits["deduplicationMax"])) ?? deduplicationMsDefault,
      allocationMs: durationMs(textOf(limits["allocation"])) ?? allocationMsDefault,
    },
  };
}

function id(entry: JsonObject): string {
  return textOf(entry["id"]);
}

function row<Row>(entry: JsonObject, value: Row): readonly [string, Row] {
  return [id(entry), value];
}

/** An empty list of hosts only declares the name of a party. */
function isHosted({ hostedBy }: JsonObject): boolean {
  return !Array.isArray(hostedBy) || hostedBy.length > 0;
}

/** A party. By default it has local metadata if the participant hosts it and signs for it. */
function partyFrom(entry: JsonObject, participantId: string): Party {
  const { annotations } = entry;
  const hostedBy = entry["hostedBy"] === undefined ? [participantId] : textsOf(entry["hostedBy"]);
  const signingKeys = textsOf(entry["publicKeys"]).map((key) => keyFrom(key, entry["keySpec"]));
  const hasMetadata = annotations !== undefined || (hostedBy.includes(participantId) && signingKeys.length === 0);
  return {
    id: id(entry),
    onboardingHash: "",
    hostedBy,
    awaiting: [],
    visibleFromMs: 0,
    identityProviderId: textOf(entry["identityProviderId"]),
    annotations: annotations === undefined ? noAnnotations : textsIn(annotations),
    resourceVersion: string(entry["resourceVersion"], hasMetadata ? "0" : ""),
    signingKeys,
    signingThreshold: 1,
  };
}

function userFrom(entry: JsonObject): User {
  const { rights, annotations } = entry;
  return {
    id: id(entry),
    primaryParty: textOf(entry["primaryParty"]),
    isDeactivated: boolean(entry["deactivated"], false),
    identityProviderId: textOf(entry["identityProviderId"]),
    primaryPartyAuthentication: false,
    annotations: annotations === undefined ? noAnnotations : textsIn(annotations),
    resourceVersion: string(entry["resourceVersion"], "0"),
    rights: rights === undefined ? noRights : new LazyRights(listOf(rights), rightFrom),
  };
}

const noAnnotations: User["annotations"] = {};
const noRights: User["rights"] = new Map();

function textsIn(members: Json): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(objectOf(members))) texts[name] = textOf(value);
  return texts;
}

/** A right, as a fixture writes it or as the API does; undefined for another value. */
function rightFrom(entry: Json): Right | undefined {
  const kind = objectOf(entry)["kind"] ?? entry;
  const name = typeof kind === "string" ? kind : Object.keys(objectOf(kind))[0];
  const unit = unitRightKinds.find((type) => type === name);
  if (unit !== undefined) return { type: unit };
  const [type, party] = [partyRightKinds.find((known) => known === name), partyOfRight(entry)];
  return type === undefined || party === undefined ? undefined : { type, party };
}

function keyFrom(base64: string, spec: Json | undefined): SigningKey {
  const publicKey = bytesOfBase64(base64) ?? new Uint8Array();
  const known = keySpecs.find((candidate) => candidate === spec) ?? "curve25519";
  return { fingerprint: fingerprintOf(publicKey), spec: known, publicKey };
}

/** A template with its key: package name, module and entity. */
function templateFrom(entry: JsonObject): readonly [string, Template] {
  const choices = Object.entries(objectOf(entry["choices"])).map(
    ([name, kind]) => [name, { isConsuming: kind === "consuming" }] as const,
  );
  return [
    textOf(entry["template"]).slice(1),
    {
      signatories: textsOf(entry["signatories"]),
      observers: textsOf(entry["observers"]),
      choices: new Map(choices),
    },
  ];
}

function packageFrom(entry: JsonObject): Package {
  return {
    id: id(entry),
    name: textOf(entry["name"]),
    version: textOf(entry["version"]),
    dependencies: textsOf(entry["dependencies"]),
    incompatibleWith: textsOf(entry["incompatibleWith"]),
    isUploaded: boolean(entry["uploaded"], true),
  };
}

function synchronizerFrom(entry: JsonObject): Synchronizer {
  const vetted = vettedFrom(entry["vettedPackages"]);
  return {
    id: id(entry),
    alias: textOf(entry["alias"]),
    protocolVersion: number(entry["protocolVersion"], 34),
    isConnected: boolean(entry["connected"], true),
    vetted: new Map(vetted.map((row) => [row.packageId, row])),
    topologySerial: number(entry["topologySerial"], vetted.length > 0 ? 1 : 0),
    recordTimeMs: undefined,
  };
}

/** Vetted packages: each a package id, or an object with a validity period. */
function vettedFrom(list: Json | undefined): readonly VettedPackage[] {
  const entries = Array.isArray(list) ? list : [];
  return entries.map((entry) =>
    typeof entry === "string"
      ? { packageId: entry, validFrom: undefined, validUntil: undefined }
      : {
          packageId: textOf(objectOf(entry)["id"]),
          validFrom: optionalTextOf(objectOf(entry)["validFrom"]),
          validUntil: optionalTextOf(objectOf(entry)["validUntil"]),
        },
  );
}

function providerFrom(entry: JsonObject): IdentityProvider {
  return {
    id: id(entry),
    isDeactivated: boolean(entry["deactivated"], false),
    issuer: textOf(entry["issuer"]),
    jwksUrl: textOf(entry["jwksUrl"]),
    audience: textOf(entry["audience"]),
  };
}
