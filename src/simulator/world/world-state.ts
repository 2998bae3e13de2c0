import { applyToLedger } from "../ledger/apply-ledger.ts";
import type { LedgerState } from "../ledger/ledger-state.ts";
import { applyToRegistry } from "../registry/apply-registry.ts";
import type { RegistryState } from "../registry/registry-state.ts";
import {
  type Plan,
  type PlannedEvents,
  plannedMax,
  type ResponseEvent,
  type TimedEvent,
  type WorldChange,
} from "./plan.ts";

/** One isolated instance as a value: two states, a clock, a seed, a plan and how far it has come. */
export interface WorldState {
  readonly ledger: LedgerState;
  readonly registry: RegistryState;
  /** Virtual time in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly seed: number;
  /** Requests so far; ids are derived from seed and counter. */
  readonly counter: number;
  readonly plan: Plan;
  /** How many timed events of the plan have happened. */
  readonly timedDone: number;
  /** Calls of the operations that the plan waits for. */
  readonly callCounts: ReadonlyMap<string, number>;
  /** How many calls matched each of the plan's answers. */
  readonly responseCounts: readonly number[];
}

/** The world after a change: the one door to its state. */
export function apply(state: WorldState, change: WorldChange): WorldState {
  switch (change.type) {
    case "reassignment-begun":
    case "reassignment-completed":
    case "preapproval-created":
    case "preapproval-archived":
    case "contract-added":
      return { ...state, registry: applyToRegistry(state.registry, change) };
    default:
      return { ...state, ledger: applyToLedger(state.ledger, change) };
  }
}

/** An event of the plan. What somebody did by hand before may have made it pointless; then nothing happens. */
function happen(state: WorldState, change: WorldChange): WorldState {
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
    case "user-deactivated":
      return ledger.users.has(change.userId);
    case "hosting-authorized":
      return ledger.parties.has(change.party);
    default:
      return true;
  }
}

/** Virtual time ends with the year 9999, in milliseconds since the epoch. */
export const virtualTimeMsMax: number = Date.parse("9999-12-31T23:59:59.999Z");

/** The world at a later moment, with everything that the plan lets happen until then. */
export function advancedTo(state: WorldState, nowMs: number): WorldState {
  if (nowMs < state.nowMs) throw new RangeError("virtual time does not go back");
  if (nowMs > virtualTimeMsMax) throw new RangeError("virtual time ends with the year 9999");
  let next = state;
  for (const event of state.plan.timed.slice(state.timedDone)) {
    if (event.atMs > nowMs) break;
    next = { ...happen(next, event.change), nowMs: event.atMs, timedDone: next.timedDone + 1 };
  }
  return { ...next, nowMs };
}

/**
 * The world with more in its plan; what of it is over is forgotten where it is too long otherwise. Calls count from now,
 * and of several responses that are due the newest entry's is given.
 */
export function withPlanned(state: WorldState, more: PlannedEvents): WorldState {
  const { plan, timedDone, responseCounts } =
    countOf(state.plan) + countOf(more) > plannedMax ? stillAhead(state) : state;
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
    responseCounts: [...more.responses.map(() => 0), ...plan.responses.map((_, index) => responseCounts[index] ?? 0)],
  };
}

/** How many events the plan has that may still happen. */
export function plannedAhead(state: WorldState): number {
  return countOf(stillAhead(state).plan);
}

function countOf({ timed, calls, responses }: PlannedEvents): number {
  return timed.length + calls.length + responses.length;
}

/** The plan as far as it may still happen, and how far it has come. */
function stillAhead(state: WorldState): Pick<WorldState, "plan" | "timedDone" | "responseCounts"> {
  const { plan, timedDone } = state;
  const counted = plan.responses.map((event, index) => ({ event, count: state.responseCounts[index] ?? 0 }));
  const due = counted.filter(({ event, count }) => count < event.nth + event.times - 1);
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

/** The world without the planned end of the window in which this contract is: somebody has ended it by hand. */
export function withoutPlannedEnd(state: WorldState, contract: string): WorldState {
  const { plan, timedDone } = state;
  const isOfContract = ({ change }: TimedEvent) =>
    (change.type === "reassignment-begun" || change.type === "reassignment-completed") && change.contract === contract;
  const index = plan.timed.findIndex((event, place) => place >= timedDone && isOfContract(event));
  if (plan.timed[index]?.change.type !== "reassignment-completed") return state;
  return { ...state, plan: { ...plan, timed: plan.timed.toSpliced(index, 1) } };
}

/** The world as a call of this operation meets it: counted, and with what the plan lets happen before it. */
export function calledBy(state: WorldState, operationId: string): WorldState {
  if (!state.plan.calls.some((event) => event.operationId === operationId)) return state;
  const nth = callsOf(state, operationId) + 1;
  const due = state.plan.calls.filter((event) => event.operationId === operationId && event.nth === nth);
  const after = due.reduce((next, event) => happen(next, event.change), state);
  return { ...after, callCounts: new Map(state.callCounts).set(operationId, nth) };
}

/** The world after a call that `isMatch` compares with the plan's answers, and the first response that is due. */
export function respondedBy(
  state: WorldState,
  isMatch: (event: ResponseEvent) => boolean,
): { readonly state: WorldState; readonly due: ResponseEvent | undefined } {
  const { responses } = state.plan;
  if (responses.length === 0) return { state, due: undefined };
  const responseCounts = responses.map((event, index) => (state.responseCounts[index] ?? 0) + (isMatch(event) ? 1 : 0));
  const due = responses.find((event, index) => {
    const count = responseCounts[index] ?? 0;
    return count !== (state.responseCounts[index] ?? 0) && count >= event.nth && count < event.nth + event.times;
  });
  return { state: { ...state, responseCounts }, due };
}
