import type { Json, JsonObject } from "../http/json.ts";
import {
  type IdentityProvider,
  keySpecs,
  type LedgerState,
  type Package,
  partyRightKinds,
  type Right,
  rightKey,
  type SigningKey,
  type Synchronizer,
  type Template,
  type User,
  unitRightKinds,
  type VettedPackage,
} from "../ledger/ledger-state.ts";
import { bytesOfBase64 } from "../protobuf/base64.ts";
import { fingerprintOf } from "../protobuf/fingerprint.ts";
import { tableOf } from "../table/table.ts";
import {
  boolean,
  checkIdentifier,
  checkUnique,
  number,
  object,
  objects,
  optional,
  string,
  strings,
} from "./_reader.ts";
import { durationMs } from "./duration.ts";
import type { Mistake } from "./mistake.ts";
import type { SourceFile } from "./read-yaml.ts";

const deduplicationMsDefault = 7 * 24 * 3600 * 1000;
const allocationMsDefault = 1000;

/** What a ledger fixture says that no schema can check. */
export function checkLedgerFixture(source: SourceFile): readonly Mistake[] {
  const root = object(source.value);
  const lists = [
    ["users", "userId"],
    ["parties", "partyId"],
    ["packages", "packageId"],
    ["synchronizers", "synchronizerId"],
  ] as const;
  const ids = lists.flatMap(([list, syntax]) =>
    objects(root[list]).flatMap((entry, index) =>
      checkIdentifier(source, syntax, string(entry["id"], ""), [list, index, "id"]),
    ),
  );
  const twice = ["users", "parties", "packages", "synchronizers", "identityProviders"].flatMap((list) =>
    checkUnique(source, list, "id", objects(root[list])),
  );
  return [
    ...checkIdentifier(source, "participantId", string(root["participantId"], ""), ["participantId"]),
    ...ids,
    ...twice,
    ...checkReferences(source, root),
  ];
}

function checkReferences(source: SourceFile, root: JsonObject): readonly Mistake[] {
  const providers = new Set(objects(root["identityProviders"]).map((entry) => string(entry["id"], "")));
  const packages = new Set(objects(root["packages"]).map((entry) => string(entry["id"], "")));
  const ofUsers = objects(root["users"]).flatMap((user, index) => {
    const provider = string(user["identityProviderId"], "");
    return provider === "" || providers.has(provider)
      ? []
      : [unknown(source, ["users", index, "identityProviderId"], provider, "identityProviders")];
  });
  const ofPackages = objects(root["packages"]).flatMap((entry, index) =>
    strings(entry["dependencies"]).flatMap((id, place) =>
      packages.has(id) ? [] : [unknown(source, ["packages", index, "dependencies", place], id, "packages")],
    ),
  );
  const ofVetting = objects(root["synchronizers"]).flatMap((synchronizer, index) =>
    vettedFrom(synchronizer["vettedPackages"]).flatMap(({ packageId }, place) =>
      packages.has(packageId)
        ? []
        : [unknown(source, ["synchronizers", index, "vettedPackages", place], packageId, "packages")],
    ),
  );
  return [...ofUsers, ...ofPackages, ...ofVetting, ...checkParties(source, root)];
}

/** Parties and participants that are named without being rows of their own; a party need not be known to be granted. */
function checkParties(source: SourceFile, root: JsonObject): readonly Mistake[] {
  const ofUsers = objects(root["users"]).flatMap((user, index) => {
    const primary = string(user["primaryParty"], "");
    const ofPrimary =
      primary === "" ? [] : checkIdentifier(source, "partyId", primary, ["users", index, "primaryParty"]);
    const rights = Array.isArray(user["rights"]) ? user["rights"] : [];
    const ofRights = rights.flatMap((right: Json, place: number) =>
      Object.values(object(right)).flatMap((party) =>
        checkIdentifier(source, "partyId", string(party, ""), ["users", index, "rights", place]),
      ),
    );
    return [...ofPrimary, ...ofRights];
  });
  const ofHosts = objects(root["parties"]).flatMap((party, index) =>
    strings(party["hostedBy"]).flatMap((host, place) =>
      checkIdentifier(source, "participantId", host, ["parties", index, "hostedBy", place]),
    ),
  );
  return [...ofUsers, ...ofHosts, ...checkUnique(source, "synchronizers", "alias", objects(root["synchronizers"]))];
}

function unknown(source: SourceFile, path: readonly (string | number)[], id: string, list: string): Mistake {
  return {
    file: source.name,
    line: source.lineOf(path),
    problem: `${path.join(".")} names ${JSON.stringify(id)}, which is not there`,
    advice: `Add it under ${list}, or correct the name.`,
  };
}

/** The participant that a checked fixture describes. */
export function ledgerFrom(source: SourceFile): LedgerState {
  const root = object(source.value);
  const participantId = string(root["participantId"], "");
  const limits = object(root["limits"]);
  return {
    participantId,
    users: tableOf(
      objects(root["users"])
        .map(userFrom)
        .map((user) => [user.id, user]),
    ),
    parties: tableOf(
      objects(root["parties"]).map((entry) =>
        row(entry, {
          id: id(entry),
          hostedBy: entry["hostedBy"] === undefined ? [participantId] : strings(entry["hostedBy"]),
          awaiting: [],
          visibleFromMs: 0,
          identityProviderId: string(entry["identityProviderId"], ""),
          signingKeys: strings(entry["publicKeys"]).map((key) => keyFrom(key, entry["keySpec"])),
          signingThreshold: 1,
        }),
      ),
    ),
    namespaces: tableOf([]),
    templates: new Map(objects(root["templates"]).map(templateFrom)),
    packages: tableOf(objects(root["packages"]).map((entry) => row(entry, packageFrom(entry)))),
    synchronizers: tableOf(objects(root["synchronizers"]).map((entry) => row(entry, synchronizerFrom(entry)))),
    identityProviders: tableOf(objects(root["identityProviders"]).map((entry) => row(entry, providerFrom(entry)))),
    ledgerEnd: BigInt(string(root["ledgerEnd"], "") || number(root["ledgerEnd"], 0)),
    commands: tableOf([]),
    contracts: tableOf([]),
    updates: tableOf([]),
    limits: {
      identityProvidersMax: 16,
      partiesPageSizeMax: number(limits["partiesPageSizeMax"], 1000),
      usersPageSizeDefault: number(limits["usersPageSizeDefault"], 1000),
      usersPageSizeMax: number(limits["usersPageSizeMax"], 1000),
      rightsPerUserMax: number(limits["rightsPerUserMax"], 1000),
      annotationsBytesMax: number(limits["annotationsBytesMax"], 256 * 1024),
      deduplicationMsMax: durationMs(string(limits["deduplicationMax"], "")) ?? deduplicationMsDefault,
      allocationMs: durationMs(string(limits["allocation"], "")) ?? allocationMsDefault,
    },
  };
}

function id(entry: JsonObject): string {
  return string(entry["id"], "");
}

function row<Row>(entry: JsonObject, value: Row): readonly [string, Row] {
  return [id(entry), value];
}

function userFrom(entry: JsonObject): User {
  const rights = Array.isArray(entry["rights"]) ? entry["rights"].flatMap(rightFrom) : [];
  const annotations = Object.entries(object(entry["annotations"])).map(
    ([key, value]) => [key, string(value, "")] as const,
  );
  return {
    id: id(entry),
    primaryParty: string(entry["primaryParty"], ""),
    isDeactivated: boolean(entry["deactivated"], false),
    identityProviderId: string(entry["identityProviderId"], ""),
    primaryPartyAuthentication: false,
    annotations: Object.fromEntries(annotations),
    resourceVersion: string(entry["resourceVersion"], "0"),
    rights: new Map(rights.map((right) => [rightKey(right), right])),
  };
}

function rightFrom(entry: unknown): readonly Right[] {
  const unit = unitRightKinds.find((type) => type === entry);
  if (unit !== undefined) return [{ type: unit }];
  if (typeof entry !== "object" || entry === null) return [];
  const members = new Map<string, unknown>(Object.entries(entry));
  return partyRightKinds
    .filter((type) => members.has(type))
    .map((type) => ({ type, party: String(members.get(type)) }));
}

function keyFrom(base64: string, spec: Json | undefined): SigningKey {
  const publicKey = bytesOfBase64(base64) ?? new Uint8Array();
  const known = keySpecs.find((candidate) => candidate === spec) ?? "curve25519";
  return { fingerprint: fingerprintOf(publicKey), spec: known, publicKey };
}

/** By package name, module and entity. */
function templateFrom(entry: JsonObject): readonly [string, Template] {
  const choices = Object.entries(object(entry["choices"])).map(
    ([name, kind]) => [name, { isConsuming: kind === "consuming" }] as const,
  );
  return [
    string(entry["template"], "").slice(1),
    {
      signatories: strings(entry["signatories"]),
      observers: strings(entry["observers"]),
      choices: new Map(choices),
    },
  ];
}

function packageFrom(entry: JsonObject): Package {
  return {
    id: id(entry),
    name: string(entry["name"], ""),
    version: string(entry["version"], ""),
    dependencies: strings(entry["dependencies"]),
    incompatibleWith: strings(entry["incompatibleWith"]),
    isUploaded: boolean(entry["uploaded"], true),
  };
}

function synchronizerFrom(entry: JsonObject): Synchronizer {
  const vetted = vettedFrom(entry["vettedPackages"]);
  return {
    id: id(entry),
    alias: string(entry["alias"], ""),
    protocolVersion: number(entry["protocolVersion"], 34),
    isConnected: boolean(entry["connected"], true),
    vetted: new Map(vetted.map((row) => [row.packageId, row])),
    topologySerial: number(entry["topologySerial"], vetted.length > 0 ? 1 : 0),
  };
}

/** A package id, or one with bounds. */
function vettedFrom(list: Json | undefined): readonly VettedPackage[] {
  const entries = Array.isArray(list) ? list : [];
  return entries.map((entry) =>
    typeof entry === "string"
      ? { packageId: entry, validFrom: undefined, validUntil: undefined }
      : {
          packageId: string(object(entry)["id"], ""),
          validFrom: optional(object(entry), "validFrom"),
          validUntil: optional(object(entry), "validUntil"),
        },
  );
}

function providerFrom(entry: JsonObject): IdentityProvider {
  return {
    id: id(entry),
    isDeactivated: boolean(entry["deactivated"], false),
    issuer: string(entry["issuer"], ""),
    jwksUrl: string(entry["jwksUrl"], ""),
    audience: string(entry["audience"], ""),
  };
}
