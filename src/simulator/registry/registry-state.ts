import type { JsonObject } from "../../foundation/json/json.ts";
import type { Table } from "../../foundation/table/table.ts";

/** The token registry as a value. */
export interface RegistryState {
  readonly admin: string;
  /** Whether a lookup for an unlisted instrument gets 404. The Amulet registry does not check it. */
  readonly areInstrumentsChecked: boolean;
  readonly instruments: Table<Instrument>;
  /** The contracts of the registry, by name in the fixture. */
  readonly contracts: Table<RegistryContract>;
  /** The names of the contracts, by contract id. */
  readonly contractNames: Table<string>;
  readonly factory: Factory;
  /** By receiver. */
  readonly preapprovals: Table<Preapproval>;
  /** Declared allocations and instructions to allocate, by contract id. */
  readonly allocations: Table<Allocation>;
  /** Milliseconds since the epoch from which on contexts no longer have the rights of featured providers, since Splice 0.8; undefined for never. */
  readonly featuredAppRightsEndAtMs: number | undefined;
  /** Prepared transactions that the fixture declares, by their base64 text. */
  readonly preparedTransactions: Table<DeclaredTransaction>;
}

/** The contract of the registry with this contract id. */
export function contractWithId({ contracts, contractNames }: RegistryState, id: string): RegistryContract | undefined {
  const name = contractNames.get(id);
  return name === undefined ? undefined : contracts.get(name);
}

/** The registry with the factory of an instrument, if it has one of its own. */
export function ofInstrument(registry: RegistryState, instrumentId: string): RegistryState {
  const factory = registry.instruments.get(instrumentId)?.factory;
  return factory === undefined ? registry : { ...registry, factory };
}

/** The factory of the registry and those of its instruments. */
export function factoriesOf({ factory, instruments }: RegistryState): readonly Factory[] {
  return [factory, ...[...instruments.values()].flatMap((instrument) => instrument.factory ?? [])];
}

/** A declared prepared transaction, an opaque text: its submitters and its effect. */
export interface DeclaredTransaction {
  readonly value: string;
  readonly actAs: readonly string[];
  readonly commandId: string;
  /** The synchronizer on which it was prepared; undefined for any connected one. */
  readonly synchronizerId: string | undefined;
  readonly effect: TransactionEffect;
}

export type TransactionEffect =
  | { readonly type: "none" }
  | { readonly type: "preapprove"; readonly receiver: string }
  | {
      readonly type: "transfer";
      readonly kind: "self" | "direct" | "offer";
      /** The contract ids of the holdings that it consumes. */
      readonly inputs: readonly string[];
      readonly receiver: string;
      readonly amount: string;
    };

export interface Instrument {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Whether clients may neither transfer nor allocate it; undefined if the registry does not say. */
  readonly paused: boolean | undefined;
  readonly pauseInfo: PauseInfo | undefined;
  /** Its own factory and context; undefined for those of the registry. */
  readonly factory: Factory | undefined;
}

/** Why an instrument is paused, and until when (RFC 3339). */
interface PauseInfo {
  readonly reason: string | undefined;
  readonly until: string | undefined;
}

/** The factory of the registry: its contract and the entries of the choice context. */
export interface Factory {
  /** The name of the factory contract; 404 with `missing` when no such contract exists. */
  readonly contract: string;
  readonly missing: string;
  /** Whether the factory is disclosed first or last. */
  readonly disclosed: "first" | "last";
  /** Whether disclosed contracts have debug members; undefined if the request decides. */
  readonly debugMembers: "always" | "never" | undefined;
  readonly context: readonly ContextEntry[];
}

/** A key of the choice context with a value of its own (`data`), or with a contract. Of several contracts it names the newest whose `opensAtMs` has passed. */
export interface ContextEntry {
  readonly key: string;
  /** A value of the standard, such as an `AV_List`; undefined for a contract. */
  readonly data: JsonObject | undefined;
  readonly contracts: readonly string[];
  /** The text of the 404 if no contract is usable; if undefined, the key is omitted instead. */
  readonly missing: string | undefined;
  /** Whether the second generation's contexts for allocations and settlements have the key. */
  readonly isInAllocationsV2: boolean;
}

export interface Preapproval {
  readonly receiver: string;
  /** The name of the pre-approval's contract; undefined if the registry does not disclose it. */
  readonly contract: string | undefined;
  /** The name of the provider's FeaturedAppRight contract. */
  readonly featuredAppRight: string | undefined;
}

/** An allocation of the first or second generation, or an instruction to allocate. */
export interface Allocation {
  readonly type: "v1" | "v2" | "instruction";
  /** The name of its contract. */
  readonly contract: string;
  /** The name of the contract of its locked holding; undefined for an allocation without funds. */
  readonly locked: string | undefined;
  /** The name of the executor's FeaturedAppRight contract. */
  readonly featuredAppRight: string | undefined;
}

/** A contract with its assignment: to a synchronizer, or in flight between two. */
export interface RegistryContract {
  readonly name: string;
  readonly templateId: string;
  readonly contractId: string;
  readonly packageName: string;
  /** Standard base64 of the serialized created event. */
  readonly createdEventBlob: string;
  /** ISO-8601 in UTC, microseconds at most. */
  readonly createdAt: string;
  readonly payload: JsonObject;
  /** Milliseconds since the epoch from which on the contract is usable; undefined for always. */
  readonly opensAtMs: number | undefined;
  /** Milliseconds since the epoch from which on it is archived; undefined for never. */
  readonly closesAtMs: number | undefined;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly assignment: Assignment;
}

export type Assignment =
  | { readonly type: "assigned"; readonly synchronizerId: string; readonly reassignmentCounter: number }
  | {
      readonly type: "in-flight";
      readonly source: string;
      readonly target: string;
      readonly reassignmentCounter: number;
    };
