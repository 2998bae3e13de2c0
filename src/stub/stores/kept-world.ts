import type { WorldState } from "../../simulator/world/world-state.ts";
import type { TakenWorld } from "./world-store.ts";

/** Why a world is not here: another process owns it, the store does not have it, the store does not respond, or what it has is not readable. */
export type Absence = { readonly type: "owned" | "unknown" | "unavailable" | "unreadable" };

/** A world is here. */
export interface Taken {
  readonly type: "taken";
}

export const taken: Taken = { type: "taken" };

/** A world of the store that this process owns now, and the state in which it serves the world. */
export interface ArrivedWorld {
  readonly stored: TakenWorld;
  readonly state: WorldState;
}

/** A world that is served: the state of its start version, and its state. */
export interface HostedState {
  readonly start: WorldState;
  readonly current: () => WorldState;
}

/** Serves a world that this process owns now. */
export type HostWorld = (arrived: ArrivedWorld) => Promise<HostedState>;

/** A world that was imported or was in the store before. */
export interface AdoptedWorld extends Pick<TakenWorld, "id" | "labels" | "expiresMs" | "creator" | "sources"> {
  /** Its state. */
  current(): WorldState;
}

/** A world that was forked in this process. */
export interface ForkedWorld extends AdoptedWorld {
  /** The world from which it was forked. */
  readonly origin: string;
  /** Whether it began in the state in which its origin began. */
  readonly isFromStart: boolean;
}
