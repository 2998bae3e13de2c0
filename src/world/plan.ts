import type { LedgerChange } from "../ledger/ledger-change.ts";
import type { RegistryChange } from "../registry/registry-change.ts";

export type WorldChange = LedgerChange | RegistryChange;

/** Something that happens by itself at a moment of virtual time, in milliseconds since the epoch. */
export interface TimedEvent {
  readonly atMs: number;
  readonly change: WorldChange;
}

/** A change that comes just before the nth call (from 1) of an operation. */
export interface CallEvent {
  readonly operationId: string;
  readonly nth: number;
  readonly change: WorldChange;
}

/** What a scenario lets happen without being asked. Timed events are in ascending order. */
export interface Plan {
  readonly timed: readonly TimedEvent[];
  readonly calls: readonly CallEvent[];
}
