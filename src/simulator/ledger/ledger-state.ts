import type { PackedArchive } from "../../daml/archives/packed-archive.ts";
import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { Table } from "../../foundation/table/table.ts";
import type { Rights } from "./rights.ts";
import type { TrafficEnforcement } from "./traffic.ts";

/** The participant node as a value. */
export interface LedgerState {
  readonly participantId: string;
  readonly users: Table<User>;
  readonly parties: Table<Party>;
  /** Namespaces by fingerprint: decentralized ones, and delegated ones, which own themselves. */
  readonly namespaces: Table<NamespaceDefinition>;
  /** The hosts that have authorized a party before this participant allocates it, by party. */
  readonly proposals: Table<readonly string[]>;
  readonly packages: Table<Package>;
  /** The templates of the fixture, by package-name:module:entity. */
  readonly templates: ReadonlyMap<string, Template>;
  readonly synchronizers: Table<Synchronizer>;
  readonly identityProviders: Table<IdentityProvider>;
  readonly ledgerEnd: bigint;
  /** The last successful command for each key, within the deduplication period. */
  readonly commands: Table<CompletedCommand>;
  /** Completion time of the oldest command, in virtual time; Infinity without commands. */
  readonly oldestCommandMs: number;
  /** The active contracts, by id. */
  readonly contracts: Table<LedgerContract>;
  /** By id. */
  readonly updates: Table<Update>;
  /** The ids of the updates, by `offsetKey`. */
  readonly updateIds: Table<string>;
  readonly limits: LedgerLimits;
  /** The deprecated features that the configuration enables, where a release disables them by default. */
  readonly enabledFeatures: ReadonlySet<string>;
  /** Whether the auth services of the node accept tokens that a party signs. */
  readonly acceptsPartyTokens: boolean;
  /** Undefined if the node does not enforce traffic. */
  readonly traffic: TrafficEnforcement | undefined;
  /** The user of the validator's operator; undefined for the default. */
  readonly operator: string | undefined;
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
  readonly rights: Rights;
}

export interface Party {
  readonly id: string;
  /** The hash of the transactions of its onboarding; empty for a party without one. */
  readonly onboardingHash: string;
  /** The participants that host the party. */
  readonly hostedBy: readonly string[];
  /** The hosts that have not authorized the party yet; it can be used once the list is empty. */
  readonly awaiting: readonly string[];
  /** Virtual time in milliseconds since the epoch from which on the party exists. */
  readonly visibleFromMs: number;
  readonly identityProviderId: string;
  /** The local metadata. The version is empty for a party without metadata: an external one, or one of another participant. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly resourceVersion: string;
  /** The keys that sign for the party and their threshold; empty if a node signs. */
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
  /** Raw for Curve25519, otherwise the point or the DER form from the topology. */
  readonly publicKey: Uint8Array;
}

export const keySpecs = ["curve25519", "p256", "p384", "secp256k1"] as const;
type KeySpec = (typeof keySpecs)[number];

/** Whether the party can be used: it is allocated, and every host has authorized it. */
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

/** A contract as it was created. The registry state holds its assignment. */
export interface LedgerContract {
  readonly contractId: string;
  /** package:module:entity. */
  readonly templateId: string;
  readonly packageName: string;
  readonly argument: DamlValue;
  readonly signatories: readonly string[];
  /** Stakeholders that are not signatories. */
  readonly observers: readonly string[];
  /** Microseconds since the epoch. */
  readonly createdAtMicros: bigint;
  /** Offset of the update that created it; `nodeId` is the position in that update. */
  readonly offset: bigint;
  readonly nodeId: number;
  /** Standard base64 of the serialized created event. */
  readonly createdEventBlob: string;
}

/** Offsets as text in ascending order; an offset is an int64. */
export function offsetKey(offset: bigint): string {
  return offset.toString().padStart(19, "0");
}

/** The updates after an offset, in order. */
export function* updatesAfter(offset: bigint, { updates, updateIds }: LedgerState): IterableIterator<Update> {
  for (const [, id] of updateIds.entries(offsetKey(offset + 1n))) {
    const update = updates.get(id);
    if (update !== undefined) yield update;
  }
}

/** A transaction that was committed. */
export interface Update {
  readonly updateId: string;
  readonly offset: bigint;
  readonly commandId: string;
  readonly submissionId: string;
  readonly userId: string;
  readonly workflowId?: string;
  readonly submitters: readonly string[];
  readonly synchronizerId: string;
  readonly committedAtMs: number;
  /** Base64 of the signed hash; undefined without external signatures. */
  readonly transactionHash: string | undefined;
  /** Undefined if the node does not enforce traffic. */
  readonly paidTrafficCost: number | undefined;
  readonly events: readonly UpdateEvent[];
}

/** The events of an update, by ascending node id. */
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
  /** The bytes of an uploaded package; undefined for one that a fixture describes. */
  readonly archive?: PackedArchive | undefined;
}

/** A template: signatories and observers, by fields of the create argument, and choices. */
export interface Template {
  /** The types of the fields, as texts; undefined if the fixture does not state them. */
  readonly fields?: ReadonlyMap<string, string> | undefined;
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
  /** Serial of the last vetting change; 0 before the first. */
  readonly topologySerial: number;
  /** Time of the last update there, in virtual time; undefined before the first. */
  readonly recordTimeMs: number | undefined;
}

/** A vetted package with its validity bounds, ISO-8601 in UTC; undefined for no bound. */
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

interface LedgerLimits {
  readonly identityProvidersMax: number;
  readonly partiesPageSizeMax: number;
  readonly usersPageSizeDefault: number;
  readonly usersPageSizeMax: number;
  readonly rightsPerUserMax: number;
  /** Total bytes of the annotations of one user, keys and values in UTF-8. */
  readonly annotationsBytesMax: number;
  /** Maximum deduplication period, and the default. */
  readonly deduplicationMsMax: number;
  /** Duration of an allocation for requests that do not wait. */
  readonly allocationMs: number;
}
