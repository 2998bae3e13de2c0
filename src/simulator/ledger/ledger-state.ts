import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { Table } from "../../foundation/table/table.ts";

/** The participant node as a value. */
export interface LedgerState {
  readonly participantId: string;
  readonly users: Table<User>;
  readonly parties: Table<Party>;
  /** Decentralized namespaces by fingerprint. */
  readonly namespaces: Table<NamespaceDefinition>;
  readonly packages: Table<Package>;
  /** What the fixture says of templates, by package name, module and entity with colons between. */
  readonly templates: ReadonlyMap<string, Template>;
  readonly synchronizers: Table<Synchronizer>;
  readonly identityProviders: Table<IdentityProvider>;
  readonly ledgerEnd: bigint;
  /** By key; the last success of each, as long as it can be deduplicated. */
  readonly commands: Table<CompletedCommand>;
  /** When the oldest of them was completed, in virtual time; infinite where there is none. */
  readonly oldestCommandMs: number;
  /** The active contracts, by id. */
  readonly contracts: Table<LedgerContract>;
  /** By id. */
  readonly updates: Table<Update>;
  readonly limits: LedgerLimits;
}

export interface User {
  readonly id: string;
  readonly primaryParty: string;
  readonly isDeactivated: boolean;
  readonly identityProviderId: string;
  readonly primaryPartyAuthentication: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  /** A decimal number as text; grows by one with each update. */
  readonly resourceVersion: string;
  /** By `rightKey`, in the order in which they were granted. */
  readonly rights: ReadonlyMap<string, Right>;
}

export const partyRightKinds = ["CanActAs", "CanReadAs", "CanExecuteAs"] as const;
export const unitRightKinds = [
  "CanReadAsAnyParty",
  "CanExecuteAsAnyParty",
  "ParticipantAdmin",
  "IdentityProviderAdmin",
] as const;

export type Right =
  | { readonly type: (typeof partyRightKinds)[number]; readonly party: string }
  | { readonly type: (typeof unitRightKinds)[number] };

/** Equal rights have equal keys. */
export function rightKey(right: Right): string {
  return "party" in right ? `${right.type} ${right.party}` : right.type;
}

export interface Party {
  readonly id: string;
  /** The participants that host the party. */
  readonly hostedBy: readonly string[];
  /** Those of them that have yet to authorize it; the party can be used when there are none. */
  readonly awaiting: readonly string[];
  /** The moment of virtual time, in milliseconds since the epoch, from which on the party is there. */
  readonly visibleFromMs: number;
  readonly identityProviderId: string;
  /** The keys that sign for it, and how many of them must; none where a node signs. */
  readonly signingKeys: readonly SigningKey[];
  readonly signingThreshold: number;
}

export interface NamespaceDefinition {
  readonly owners: readonly string[];
  readonly threshold: number;
}

export interface SigningKey {
  readonly fingerprint: string;
  readonly spec: KeySpec;
  /** Raw for Curve25519, else the point or the DER form that the topology has. */
  readonly publicKey: Uint8Array;
}

export const keySpecs = ["curve25519", "p256", "p384", "secp256k1"] as const;
export type KeySpec = (typeof keySpecs)[number];

/** Whether the party can be used: its allocation is over, and every host has authorized it. */
export function isAllocated({ awaiting, visibleFromMs }: Party, nowMs: number): boolean {
  return awaiting.length === 0 && visibleFromMs <= nowMs;
}

/** A command that succeeded; it is deduplicated by user, command id and submitters. */
export interface CompletedCommand {
  readonly key: string;
  readonly submissionId: string;
  readonly updateId: string;
  readonly offset: bigint;
  readonly completedAtMs: number;
}

/** A contract as it was created. Where it is assigned is for whoever knows of reassignments. */
export interface LedgerContract {
  readonly contractId: string;
  /** package:module:entity. */
  readonly templateId: string;
  readonly packageName: string;
  readonly argument: DamlValue;
  readonly signatories: readonly string[];
  /** Stakeholders that are no signatories. */
  readonly observers: readonly string[];
  /** Microseconds since the epoch. */
  readonly createdAtMicros: bigint;
  /** Of the update that created it, and its place therein. */
  readonly offset: bigint;
  readonly nodeId: number;
  /** Standard base64 of the serialized created event. */
  readonly createdEventBlob: string;
}

/** A transaction that was committed. */
export interface Update {
  readonly updateId: string;
  readonly offset: bigint;
  readonly commandId: string;
  readonly submitters: readonly string[];
  readonly synchronizerId: string;
  readonly committedAtMs: number;
  /** Hex of the hash that was signed; undefined where nobody signed one. */
  readonly transactionHash: string | undefined;
  readonly events: readonly UpdateEvent[];
}

/** What happened, by ascending node id. */
export type UpdateEvent =
  | { readonly type: "created"; readonly nodeId: number; readonly contract: LedgerContract }
  | {
      readonly type: "exercised";
      readonly nodeId: number;
      readonly lastDescendantNodeId: number;
      readonly contract: LedgerContract;
      readonly interfaceId: string | undefined;
      readonly choice: string;
      readonly argument: DamlValue;
      readonly actingParties: readonly string[];
      readonly isConsuming: boolean;
      readonly result: DamlValue | undefined;
    };

export interface Package {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
  /** The ids of packages of the same name that this one is not a valid upgrade of. */
  readonly incompatibleWith: readonly string[];
  readonly isUploaded: boolean;
}

/** Who stands behind a contract, by the fields of its argument, and which choices it has. */
export interface Template {
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly choices: ReadonlyMap<string, { readonly isConsuming: boolean }>;
}

export interface Synchronizer {
  readonly id: string;
  readonly alias: string;
  readonly protocolVersion: number;
  readonly isConnected: boolean;
  /** What this participant has vetted there, by package id. */
  readonly vetted: ReadonlyMap<string, VettedPackage>;
  /** Of the last change of what is vetted; 0 before the first. */
  readonly topologySerial: number;
}

/** A package that may be used from one moment to another, both ISO-8601 in UTC; undefined for no bound. */
export interface VettedPackage {
  readonly packageId: string;
  readonly validFrom: string | undefined;
  readonly validUntil: string | undefined;
}

export interface IdentityProvider {
  readonly id: string;
  readonly isDeactivated: boolean;
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly audience: string;
}

export interface LedgerLimits {
  readonly identityProvidersMax: number;
  readonly partiesPageSizeMax: number;
  readonly usersPageSizeDefault: number;
  readonly usersPageSizeMax: number;
  readonly rightsPerUserMax: number;
  /** Of the keys and values of one user's annotations together, in UTF-8. */
  readonly annotationsBytesMax: number;
  /** The longest deduplication period, and the one that counts where a request names none. */
  readonly deduplicationMsMax: number;
  /** How long the allocation of a party takes for whom does not wait. */
  readonly allocationMs: number;
}
