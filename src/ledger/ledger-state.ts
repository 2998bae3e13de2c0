import type { Table } from "../table/table.ts";

/** The participant node as a value. */
export interface LedgerState {
  readonly participantId: string;
  readonly users: Table<User>;
  readonly parties: Table<Party>;
  readonly packages: Table<Package>;
  readonly synchronizers: Table<Synchronizer>;
  readonly identityProviders: Table<IdentityProvider>;
  readonly ledgerEnd: bigint;
  /** By key; the last success of each. */
  readonly commands: Table<CompletedCommand>;
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
}

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

export interface Package {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
  /** The ids of packages of the same name that this one is not a valid upgrade of. */
  readonly incompatibleWith: readonly string[];
  readonly isUploaded: boolean;
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
