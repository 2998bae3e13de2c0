import type { Json } from "../../foundation/json/json.ts";
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

/** A response that some calls get other than the operation gives it: a fault, or a response of the scenario's own. */
export interface ResponseEvent {
  readonly operationId: string;
  /** Only calls that match are counted; undefined for all. */
  readonly match: CallMatch | undefined;
  /** The first of the matching calls, from 1. */
  readonly nth: number;
  /** How many of them from then on. */
  readonly times: number;
  /** `instead` leaves the operation out; `after` lets it take effect first. */
  readonly timing: "instead" | "after";
  readonly response: PlannedResponse;
  readonly delay: Delay | undefined;
}

/** Values that a call must have: by JSON pointer into the body, and by name in the query. */
export interface CallMatch {
  readonly body: readonly (readonly [pointer: string, value: Json])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

export type PlannedResponse =
  /** The operation's own. */
  | { readonly type: "own" }
  /** A ledger error by its code in the catalogue. */
  | { readonly type: "error"; readonly code: string }
  | { readonly type: "response"; readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly type: "reset" }
  | { readonly type: "timeout" }
  /** The operation's own response, cut after so many bytes of its body. */
  | { readonly type: "truncate"; readonly bytes: number };

/** Wall time before the response: fixed, or drawn from a log-normal distribution with that median. */
export type Delay =
  | { readonly type: "fixed"; readonly ms: number }
  | { readonly type: "log-normal"; readonly medianMs: number; readonly sigma: number };

/** What happens without being asked. Timed events are in ascending order. */
export interface PlannedEvents {
  readonly timed: readonly TimedEvent[];
  readonly calls: readonly CallEvent[];
  readonly responses: readonly ResponseEvent[];
}

/** What a scenario lets happen without being asked. */
export interface Plan extends PlannedEvents {
  /** The operations that the scenario expects; a call of any other is refused. Undefined where all are welcome. */
  readonly expected: ReadonlySet<string> | undefined;
}

/** Events that a plan may have ahead when more are planned at run time. */
export const plannedMax = 10_000;

/** The longest that a response is held back, in wall time. */
export const delayMsMax: number = 600_000;
