import type { CheckerOptions } from "../../checker/engine/checker.ts";
import type { ProfileNames, Spec } from "../../foundation/spec/spec.ts";
import type { World } from "../../simulator/world/world.ts";
import type { StatesAround } from "../hosting/hosted-world.ts";
import type { Journal } from "../journal/journal.ts";
import type { AuthenticationMode } from "../pipeline/claims.ts";

/** How strictly responses are checked. */
export type Strictness = Pick<CheckerOptions, "level" | "areAdditionalOperationsChecked">;

/** A source of traffic for the inspector: the worlds of a hosting, or the traffic of a recorder. */
export interface InspectionSource {
  readonly profile: ProfileNames;
  readonly worlds: ReadonlyMap<string, InspectedTraffic>;
  /** How requests are authenticated; undefined for recorded traffic. */
  readonly auth?: AuthenticationMode;
  /** The spec with the additional operations, if it is already loaded. */
  readonly wholeSpec?: Spec;
  readonly wallNowMs: () => number;
  /** Takes a world out of the store; undefined if worlds are in memory alone. */
  readonly kept?: { take(id: string): Promise<unknown> } | undefined;
  /** Default: level `release`, with the additional operations. */
  readonly strictness?: Strictness;
  /** Registers an observer of changes to worlds; returns the function that removes it. */
  observe(observer: (worldId: string) => void): () => void;
}

/** A journal with its world; recorded traffic has no world. */
export interface InspectedTraffic {
  readonly journal: Journal<StatesAround | undefined>;
  readonly world?: World;
  /** Whether the journal holds all requests of the client since the world started. Default: false. */
  readonly isWhole?: boolean;
}
