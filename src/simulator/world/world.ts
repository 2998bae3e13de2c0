import { firstParticipant, seenBy } from "./participants.ts";
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

/** What the participants of a world share. */
interface Shared {
  state: WorldState;
  /** Wall time up to which virtual time has run. */
  wallSeenMs: number;
}

/** One isolated world with its clock, as one of its participants sees it; the only owner of state. Its steps never interleave. */
export class World {
  readonly clockMode: ClockMode;
  readonly #restart: () => WorldState;
  readonly #wallNowMs: () => number;
  #shared: Shared;
  #name: string = firstParticipant;
  /** The last state that was read, whole and as the participant sees it. */
  #seen: { readonly whole: WorldState; readonly state: WorldState };

  /** `restart` gives the state after a reset; the initial state by default. `wallSeenMs` is the wall time of the initial state; now by default. */
  constructor(
    initial: WorldState,
    clockMode: ClockMode,
    wallNowMs: () => number,
    restart: () => WorldState = () => initial,
    wallSeenMs: number = wallNowMs(),
  ) {
    this.#restart = restart;
    this.clockMode = clockMode;
    this.#wallNowMs = wallNowMs;
    this.#shared = { state: initial, wallSeenMs };
    this.#seen = { whole: initial, state: initial };
  }

  /** The state as the participant sees it. A running clock is at the last `elapse`. */
  get state(): WorldState {
    const whole = this.#shared.state;
    if (this.#seen.whole !== whole) this.#seen = { whole, state: seenBy(whole, this.#name, firstParticipant) };
    return this.#seen.state;
  }

  /** The state as the first participant sees it, which the plan is about. */
  get whole(): WorldState {
    return this.#shared.state;
  }

  /** Lets a running clock go on to now, with the timed events until then, and gives the state. */
  elapse(): WorldState {
    if (this.clockMode.type === "frozen") return this.state;
    const { state, wallSeenMs } = this.#shared;
    const wallMs = this.#wallNowMs();
    const passedMs = Math.max(0, wallMs - wallSeenMs) * this.clockMode.speed;
    this.#shared.wallSeenMs = wallMs;
    this.#shared.state = advancedTo(state, Math.min(state.nowMs + passedMs, virtualTimeMsMax));
    return this.state;
  }

  /** The same world as a further participant sees it. */
  participant(name: string): World {
    const view = new World(this.#shared.state, this.clockMode, this.#wallNowMs, this.#restart);
    view.#shared = this.#shared;
    view.#name = name;
    view.#seen = { whole: this.#shared.state, state: seenBy(this.#shared.state, name, firstParticipant) };
    return view;
  }

  /** Counts the request and gives the state for this operation. */
  countRequest(operationId: string | undefined): WorldState {
    const { state } = this.#shared;
    const counted = { ...state, counter: state.counter + 1 };
    this.#shared.state = operationId === undefined ? counted : stateForCall(counted, operationId);
    return this.state;
  }

  /** The planned response for this call, if one is due. Counts the call for every planned response that it matches. */
  plannedResponse(isMatch: (event: ResponseEvent) => boolean): ResponseEvent | undefined {
    const { state, due } = takePlannedResponse(this.#shared.state, isMatch);
    this.#shared.state = state;
    return due;
  }

  perform(changes: readonly WorldChange[]): void {
    if (changes.length === 0) return;
    this.#shared.state = seenBy(changes.reduce(apply, this.state), firstParticipant, this.#name);
  }

  /** Adds events to the plan. Calls are counted from now on. A reset removes them. */
  plan(events: PlannedEvents): void {
    this.elapse();
    this.#shared.state = withPlanned(this.#shared.state, events);
  }

  /** Assigns a contract in flight, and removes the planned end of this window, so that it does not end a later one. */
  completeReassignment(contract: string): void {
    this.perform([{ type: "reassignment-completed", contract }]);
    this.#shared.state = withoutPlannedEnd(this.#shared.state, contract);
  }

  advanceBy(durationMs: number): void {
    this.elapse();
    this.#shared.state = advancedTo(this.#shared.state, this.#shared.state.nowMs + durationMs);
  }

  /** A copy of this world with all its participants, seen by the first one, in constant time and memory. Neither world sees the changes of the other. */
  fork(): World {
    this.elapse();
    return new World(this.whole, this.clockMode, this.#wallNowMs);
  }

  /** A new world in an earlier state of this one; its clock continues from there. */
  forkAt(state: WorldState): World {
    return new World(seenBy(state, firstParticipant, this.#name), this.clockMode, this.#wallNowMs);
  }

  /** A new world in a state that this one had at a wall time; a reset gives the initial state of this one, or `start`. */
  restored(state: WorldState, wallSeenMs: number, start?: WorldState): World {
    const restart = start === undefined ? this.#restart : () => start;
    return new World(state, this.clockMode, this.#wallNowMs, restart, wallSeenMs);
  }

  /** A new world in the initial state of this one. */
  fresh(): World {
    return new World(this.#restart(), this.clockMode, this.#wallNowMs, this.#restart);
  }

  /** Restores the initial state of this world. */
  reset(): void {
    const wallSeenMs = this.#wallNowMs();
    this.#shared.state = this.#restart();
    this.#shared.wallSeenMs = wallSeenMs;
  }
}
