import type { HeaderList } from "../../foundation/http/header.ts";
import type { Json } from "../../foundation/json/json.ts";
import type { OperationId } from "../../foundation/spec/generated/names.ts";
import type { LedgerChange } from "../ledger/ledger-change.ts";
import type { RegistryChange } from "../registry/registry-change.ts";

export type WorldChange = LedgerChange | RegistryChange;

/** A change at a point in virtual time, in milliseconds since the epoch. */
export interface TimedEvent {
  readonly atMs: number;
  readonly change: WorldChange;
}

/** A change just before the nth call (from 1) of an operation. */
export interface CallEvent {
  readonly operationId: string;
  readonly nth: number;
  readonly change: WorldChange;
}

/** A response that replaces that of the operation for some calls: a fault, or a response of the scenario. */
export interface ResponseEvent {
  /** `any` stands for every operation. */
  readonly operationId: OperationId | "any";
  /** Only matching calls are counted; undefined matches all calls. */
  readonly match: CallMatch | undefined;
  /** The first of the matching calls, from 1. */
  readonly nth: number;
  /** Number of calls, from `nth` on, that get this response; `everyCall` for all of them. */
  readonly times: number;
  /** The distance between two of these calls; undefined for 1. */
  readonly every: number | undefined;
  /** `instead` skips the operation; `after` applies its changes first. */
  readonly timing: "instead" | "after";
  readonly response: PlannedResponse;
  /** Header fields of the response. Each replaces those of its name. */
  readonly headers: HeaderList | undefined;
  readonly delay: Delay | undefined;
  readonly network: NetworkFaults | undefined;
}

/** How the response is transmitted, in real time. */
export interface NetworkFaults {
  /** Rate of the body. */
  readonly bytesPerSecond: number | undefined;
  readonly slices: { readonly bytes: number; readonly variation: number; readonly pauseMs: number } | undefined;
  /** The connection is reset after this many bytes of the body. */
  readonly resetAfterBytes: number | undefined;
  /** Time that the connection stays open after the response. */
  readonly slowCloseMs: number | undefined;
}

/** Values that a call must have: by JSON pointer into the body, and by name in the query, path and header; and those that it must not have. */
export interface CallMatch {
  readonly body: readonly (readonly [pointer: string, value: Json])[];
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly path?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly absent?: Readonly<Record<"body" | "query" | "headers", readonly string[]>> | undefined;
}

/** The last call that can get a response. */
export function lastCallOf({ nth, times, every }: Pick<ResponseEvent, "nth" | "times" | "every">): number {
  return nth + (times - 1) * (every ?? 1);
}

export type PlannedResponse =
  /** The response of the operation. */
  | { readonly type: "own" }
  /** A ledger error by its code in the catalogue. */
  | { readonly type: "error"; readonly code: string }
  /** The error of the operation with this status. */
  | { readonly type: "status"; readonly status: number }
  | { readonly type: "response"; readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly type: "reset" }
  | { readonly type: "timeout" }
  /** The response of the operation, truncated after this many bytes of its body. */
  | { readonly type: "truncate"; readonly bytes: number };

/** Wall time before the response: fixed, a latency with jitter, or drawn from a log-normal distribution with that median. */
export type Delay =
  | { readonly type: "fixed"; readonly ms: number }
  /** `ms`, at most `jitterMs` more or less. */
  | { readonly type: "latency"; readonly ms: number; readonly jitterMs: number }
  | { readonly type: "log-normal"; readonly medianMs: number; readonly sigma: number };

/** Planned events. Timed events are in ascending order. */
export interface PlannedEvents {
  readonly timed: readonly TimedEvent[];
  readonly calls: readonly CallEvent[];
  readonly responses: readonly ResponseEvent[];
}

/** The planned events of a scenario, and the operations that it expects. */
export interface Plan extends PlannedEvents {
  /** The operations that the scenario expects; other calls are refused. Undefined if it expects all. */
  readonly expected: ReadonlySet<string> | undefined;
}

/** Maximum number of pending events when events are added at run time. */
export const plannedMax = 10_000;

/** The number of calls of a planned response that never ends. */
export const everyCall: number = Number.MAX_SAFE_INTEGER;

/** The `operationId` of a planned response to the calls of every operation. */
export const anyOperation = "any" as const;

/** Maximum delay of a response, in wall time. Each part of it has this limit, and so have pauses and slow closes. */
export const delayMsMax: number = 600_000;
