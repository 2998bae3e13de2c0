import type { OperationId } from "../../foundation/spec/generated/names.ts";
import { applyToRegistry } from "../registry/apply-registry.ts";
import type { RegistryState } from "../registry/registry-state.ts";
import { applyToParticipants, type ParticipantLedgers } from "./participants.ts";
import {
  lastCallOf,
  type Plan,
  type PlannedEvents,
  plannedMax,
  type ResponseEvent,
  type TimedEvent,
  type WorldChange,
} from "./plan.ts";

/** One isolated instance as a value: participants, registry, clock, seed, and plan with its progress. */
export interface WorldState extends ParticipantLedgers {
  readonly registry: RegistryState;
  /** Virtual time in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly seed: number;
  /** Requests so far; ids are derived from seed and counter. */
  readonly counter: number;
  readonly plan: Plan;
  /** Number of timed events of the plan that have been applied. */
  readonly timedDone: number;
  /** Number of calls, by operation, for operations with planned call events. */
  readonly callCounts: ReadonlyMap<string, number>;
  /** The progress of each planned response of the plan. */
  readonly responseCounts: readonly ResponseCount[];
}

/** The calls that matched a planned response, and those of them that received it. */
interface ResponseCount {
  readonly calls: number;
  readonly given: number;
}

const noCalls: ResponseCount = { calls: 0, given: 0 };

/** The world after a change. All changes of state go through this function. */
export function apply(state: WorldState, change: WorldChange): WorldState {
  switch (change.type) {
    case "reassignment-begun":
    case "reassignment-completed":
    case "preapproval-created":
    case "preapproval-archived":
    case "contract-added":
    case "contract-archived":
      return { ...state, registry: applyToRegistry(state.registry, change) };
    default:
      return applyToParticipants(state, change);
  }
}

/** Applies a planned change. Leaves the state alone if an earlier change has made this one inapplicable. */
function applyIfApplicable(state: WorldState, change: WorldChange): WorldState {
  return isApplicable(state, change) ? apply(state, change) : state;
}

function isApplicable({ ledger, registry }: WorldState, change: WorldChange): boolean {
  switch (change.type) {
    case "reassignment-begun": {
      const assignment = registry.contracts.get(change.contract)?.assignment;
      return assignment?.type === "assigned" && assignment.synchronizerId !== change.target;
    }
    case "reassignment-completed":
      return registry.contracts.get(change.contract)?.assignment.type === "in-flight";
    case "user-created":
      return !ledger.users.has(change.user.id);
    case "user-deactivated":
    case "user-deleted":
    case "rights-granted":
    case "rights-revoked":
      return ledger.users.has(change.userId);
    case "synchronizer-connected":
    case "synchronizer-disconnected":
    case "packages-vetted":
      return ledger.synchronizers.has(change.synchronizerId);
    default:
      return true;
  }
}

/** Virtual time ends with the year 9999, in milliseconds since the epoch. */
export const virtualTimeMsMax: number = Date.parse("9999-12-31T23:59:59.999Z");

/** The world at a later point in time, with all timed events until then. Throws RangeError for an earlier time. */
export function advancedTo(state: WorldState, nowMs: number): WorldState {
  if (nowMs < state.nowMs) throw new RangeError("virtual time does not go back");
  if (nowMs > virtualTimeMsMax) throw new RangeError("virtual time ends with the year 9999");
  let next = state;
  for (const event of state.plan.timed.slice(state.timedDone)) {
    if (event.atMs > nowMs) break;
    next = { ...applyIfApplicable(next, event.change), nowMs: event.atMs, timedDone: next.timedDone + 1 };
  }
  return { ...next, nowMs };
}

/**
 * The world with more planned events. A plan that would exceed `plannedMax` drops its past events. Calls are counted from
 * now on. If several responses are due, the newest entry wins.
 */
export function withPlanned(state: WorldState, more: PlannedEvents): WorldState {
  const { plan, timedDone, responseCounts } =
    countOf(state.plan) + countOf(more) > plannedMax ? pendingOf(state) : state;
  const timed = [...plan.timed.slice(timedDone), ...more.timed].sort((left, right) => left.atMs - right.atMs);
  const fromNow = more.calls.map((event) => ({ ...event, nth: event.nth + callsOf(state, event.operationId) }));
  return {
    ...state,
    plan: {
      ...plan,
      timed: [...plan.timed.slice(0, timedDone), ...timed],
      calls: [...plan.calls, ...fromNow],
      responses: [...more.responses, ...plan.responses],
    },
    timedDone,
    responseCounts: [
      ...more.responses.map(() => noCalls),
      ...plan.responses.map((_, index) => responseCounts[index] ?? noCalls),
    ],
  };
}

/** Number of planned events that can still happen. */
export function pendingEventCount(state: WorldState): number {
  return countOf(pendingOf(state).plan);
}

/** A planned response that no call has received. */
export interface UnusedPlannedResponse {
  /** The id of the operation; `any` stands for every operation. */
  readonly on: OperationId | "any";
  /** The call, from 1, that gets the response first; only matching calls count. */
  readonly nth: number;
  /** Matching calls until now. */
  readonly calls: number;
}

export function unusedResponses({ plan, responseCounts }: WorldState): readonly UnusedPlannedResponse[] {
  return plan.responses
    .map(({ operationId, nth }, index) => ({ on: operationId, nth, ...(responseCounts[index] ?? noCalls) }))
    .filter(({ given }) => given === 0)
    .map(({ on, nth, calls }) => ({ on, nth, calls }));
}

function countOf({ timed, calls, responses }: PlannedEvents): number {
  return timed.length + calls.length + responses.length;
}

/** The plan without its past events, with its progress. */
function pendingOf(state: WorldState): Pick<WorldState, "plan" | "timedDone" | "responseCounts"> {
  const { plan, timedDone } = state;
  const counted = plan.responses.map((event, index) => ({ event, count: state.responseCounts[index] ?? noCalls }));
  const due = counted.filter(({ event, count }) => count.calls < lastCallOf(event));
  return {
    plan: {
      ...plan,
      timed: plan.timed.slice(timedDone),
      calls: plan.calls.filter(({ operationId, nth }) => nth > callsOf(state, operationId)),
      responses: due.map(({ event }) => event),
    },
    timedDone: 0,
    responseCounts: due.map(({ count }) => count),
  };
}

function callsOf({ callCounts }: WorldState, operationId: string): number {
  return callCounts.get(operationId) ?? 0;
}

/** The world without the planned end of the contract's current reassignment, which was completed through the control API. */
export function withoutPlannedEnd(state: WorldState, contract: string): WorldState {
  const { plan, timedDone } = state;
  const isOfContract = ({ change }: TimedEvent) =>
    (change.type === "reassignment-begun" || change.type === "reassignment-completed") && change.contract === contract;
  const index = plan.timed.findIndex((event, place) => place >= timedDone && isOfContract(event));
  if (plan.timed[index]?.change.type !== "reassignment-completed") return state;
  return { ...state, plan: { ...plan, timed: plan.timed.toSpliced(index, 1) } };
}

/** The world before a call of this operation: the call is counted, and its planned changes are applied. */
export function stateForCall(state: WorldState, operationId: string): WorldState {
  if (!state.plan.calls.some((event) => event.operationId === operationId)) return state;
  const nth = callsOf(state, operationId) + 1;
  const due = state.plan.calls.filter((event) => event.operationId === operationId && event.nth === nth);
  const after = due.reduce((next, event) => applyIfApplicable(next, event.change), state);
  return { ...after, callCounts: new Map(state.callCounts).set(operationId, nth) };
}

/** Counts a call for every planned response that `isMatch` accepts, and gives the first response that is due. */
export function takePlannedResponse(
  state: WorldState,
  isMatch: (event: ResponseEvent) => boolean,
): { readonly state: WorldState; readonly due: ResponseEvent | undefined } {
  const { responses } = state.plan;
  if (responses.length === 0) return { state, due: undefined };
  let due: ResponseEvent | undefined;
  const responseCounts = responses.map((event, index) => {
    const count = state.responseCounts[index] ?? noCalls;
    if (!isMatch(event)) return count;
    const calls = count.calls + 1;
    const isAmong = calls >= event.nth && calls <= lastCallOf(event) && (calls - event.nth) % (event.every ?? 1) === 0;
    if (due !== undefined || !isAmong) return { ...count, calls };
    due = event;
    return { calls, given: count.given + 1 };
  });
  return { state: { ...state, responseCounts }, due };
}
