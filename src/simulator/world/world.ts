import type { PlannedEvents, ResponseEvent, WorldChange } from "./plan.ts";
import {
  advancedTo,
  apply,
  calledBy,
  respondedBy,
  virtualTimeMsMax,
  type WorldState,
  withoutPlannedEnd,
  withPlanned,
} from "./world-state.ts";

/** Frozen stays until it is advanced; otherwise virtual time runs `speed` times as fast as wall time. */
export type ClockMode = { readonly type: "frozen" } | { readonly type: "running"; readonly speed: number };

/** The only owner of state: one isolated world with its clock. No two of its steps interleave. */
export class World {
  readonly clockMode: ClockMode;
  readonly #initial: WorldState;
  readonly #wallNowMs: () => number;
  #state: WorldState;
  #wallSeenMs: number;

  constructor(initial: WorldState, clockMode: ClockMode, wallNowMs: () => number) {
    this.#initial = initial;
    this.clockMode = clockMode;
    this.#wallNowMs = wallNowMs;
    this.#state = initial;
    this.#wallSeenMs = wallNowMs();
  }

  get state(): WorldState {
    this.#elapse();
    return this.#state;
  }

  /** The state that a request for this operation meets; the request is counted. */
  meet(operationId: string | undefined): WorldState {
    this.#elapse();
    const counted = { ...this.#state, counter: this.#state.counter + 1 };
    this.#state = operationId === undefined ? counted : calledBy(counted, operationId);
    return this.#state;
  }

  /** The plan's answer for this call, if one is due; the call is counted for every response that it matches. */
  plannedResponse(isMatch: (event: ResponseEvent) => boolean): ResponseEvent | undefined {
    const { state, due } = respondedBy(this.#state, isMatch);
    this.#state = state;
    return due;
  }

  perform(changes: readonly WorldChange[]): void {
    this.#state = changes.reduce(apply, this.#state);
  }

  /** Lets more happen by itself than the plan has so far. Calls count from now; a reset forgets it. */
  plan(events: PlannedEvents): void {
    this.#elapse();
    this.#state = withPlanned(this.#state, events);
  }

  /** Assigns a contract that is on its way; the end that the plan has for this window is not to end a later one. */
  completeReassignment(contract: string): void {
    this.perform([{ type: "reassignment-completed", contract }]);
    this.#state = withoutPlannedEnd(this.#state, contract);
  }

  advanceBy(durationMs: number): void {
    this.#elapse();
    this.#state = advancedTo(this.#state, this.#state.nowMs + durationMs);
  }

  /** Another world in the same state, in constant time and memory; they never see each other's changes. */
  fork(): World {
    return new World(this.state, this.clockMode, this.#wallNowMs);
  }

  /** Another world in a state in which this one has been; its clock goes on from there. */
  forkAt(state: WorldState): World {
    return new World(state, this.clockMode, this.#wallNowMs);
  }

  /** Another world in the state in which this one began. */
  fresh(): World {
    return new World(this.#initial, this.clockMode, this.#wallNowMs);
  }

  /** Back to the state in which this world began. */
  reset(): void {
    this.#state = this.#initial;
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
