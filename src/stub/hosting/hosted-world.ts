import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { Journal } from "../journal/journal.ts";
import type { StreamsOf } from "../pipeline/stream.ts";
import type { Stub } from "../pipeline/stub.ts";
import type { WorldClientRules } from "./world-client-rules.ts";
import type { WorldDetails } from "./world-details.ts";
import type { WorldGate } from "./world-gate.ts";

/** The states of a world before and after an exchange. Unchanged parts are shared. */
export interface StatesAround {
  readonly before: WorldState;
  readonly after: WorldState;
}

export interface HostedWorld extends WorldDetails {
  readonly world: World;
  /** The id under which the first participant of the world is served. */
  readonly first: string;
  /** The name of the participant; empty for the first one. */
  readonly participant: string;
  /** The ids of all participants of the world. */
  readonly ids: readonly string[];
  /** Exchanges of an earlier process have no states. */
  readonly journal: Journal<StatesAround | undefined>;
  readonly stub: Stub;
  /** Undefined for stubs without streams. */
  readonly streams: StreamsOf | undefined;
  /** Undefined if client rules are off. */
  readonly clientRules: WorldClientRules | undefined;
  /** Whether the journal holds the whole history: false for a fork of a world that had already received requests. */
  readonly isWhole: boolean;
  /** Refuses requests before they are executed. Undefined for most worlds, so that they cost one check. */
  readonly gate: WorldGate | undefined;
}
