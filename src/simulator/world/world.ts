import type { PlannedEvents, ResponseEvent, WorldChange } from "./plan.ts";
import {
  advancedTo,
  apply,
  stateForCall,
  takePlannedResponse,
  virtualTimeMsMax,
  type WorldState,
  withoutPlannedEnd,
  withPlanned,
} from "./world-state.ts";

/** Frozen: virtual time changes only when it is advanced. Running: it runs `speed` times as fast as wall time. */
export type ClockMode = { readonly type: "frozen" } | { readonly type: "running"; readonly speed: number };

/** One isolated world with its clock; the only owner of state. Its steps never interleave. */
export class World {
  readonly clockMode: ClockMode;
  readonly #restart: () => WorldState;
  readonly #wallNowMs: () => number;
  #state: WorldState;
  #wallSeenMs: number;

  /** `restart` gives the state after a reset; the initial state by default. */
  constructor(
    initial: WorldState,
    clockMode: ClockMode,
    wallNowMs: () => number,
    restart: () => WorldState = () => initial,
  ) {
    this.#restart = restart;
    this.clockMode = clockMode;
    this.#wallNowMs = wallNowMs;
    this.#state = initial;
    this.#wallSeenMs = wallNowMs();
  }

  get state(): WorldState {
    this.#elapse();
    return this.#state;
  }

  /** Counts the request and gives the state for this operation. */
  countRequest(operationId: string | undefined): WorldState {
    this.#elapse();
    const counted = { ...this.#state, counter: this.#state.counter + 1 };
    this.#state = operationId === undefined ? counted : stateForCall(counted, operationId);
    return this.#state;
  }

  /** The planned response for this call, if one is due. Counts the call for every planned response that it matches. */
  plannedResponse(isMatch: (event: ResponseEvent) => boolean): ResponseEvent | undefined {
    const { state, due } = takePlannedResponse(this.#state, isMatch);
    this.#state = state;
    return due;
  }

  perform(changes: readonly WorldChange[]): void {
    this.#state = changes.reduce(apply, this.#state);
  }

  /** Adds events to the plan. Calls are counted from now on. A reset removes them. */
  plan(events: PlannedEvents): void {
    this.#elapse();
    this.#state = withPlanned(this.#state, events);
  }

  /** Assigns a contract in flight, and removes the planned end of this window, so that it does not end a later one. */
  completeReassignment(contract: string): void {
    this.perform([{ type: "reassignment-completed", contract }]);
    this.#state = withoutPlannedEnd(this.#state, contract);
  }

  advanceBy(durationMs: number): void {
    this.#elapse();
    this.#state = advancedTo(this.#state, this.#state.nowMs + durationMs);
  }

  /** A copy of this world, in constant time and memory. Neither world sees the changes of the other. */
  fork(): World {
    return new World(this.state, this.clockMode, this.#wallNowMs);
  }

  /** A new world in an earlier state of this one; its clock continues from there. */
  forkAt(state: WorldState): World {
    return new World(state, this.clockMode, this.#wallNowMs);
  }

  /** A new world in the initial state of this one. */
  fresh(): World {
    return new World(this.#restart(), this.clockMode, this.#wallNowMs, this.#restart);
  }

  /** Restores the initial state of this world. */
  reset(): void {
    this.#state = this.#restart();
    this.#wallSeenMs = this.#wallNowMs();
  }

  #elapse(): void {
    if (this.clockMode.type === "frozen") return;
    const wallMs = this.#wallNowMs();
    const passedMs = Math.max(0, wallMs - this.#wallSeenMs) * this.clockMode.speed;
    this.#wallSeenMs = wallMs;
    this.#state = advancedTo(this.#state, Math.min(this.#state.nowMs + passedMs, virtualTimeMsMax));
  }
}
