import type { CheckerOptions } from "../../checker/engine/checker.ts";
import type { ProfileNames, Spec } from "../../foundation/spec/spec.ts";
import type { World } from "../../simulator/world/world.ts";
import type { PointInTime } from "../hosting/hosting.ts";
import type { Journal } from "../journal/journal.ts";

/** How strictly answers are checked. */
export type Strictness = Pick<CheckerOptions, "level" | "areAdditionalOperationsChecked">;

/** Where traffic comes from that people look at: the worlds of a hosting, or what passes a recorder. */
export interface InspectionSource {
  readonly profile: ProfileNames;
  readonly worlds: ReadonlyMap<string, InspectedTraffic>;
  /** The contract in its profile with the additional operations, where somebody has read it already. */
  readonly wholeSpec?: Spec;
  readonly wallNowMs: () => number;
  /** By its release and with the additional operations where it does not say. */
  readonly strictness?: Strictness;
  /** Tells in which world something happened, until what is given back is called. */
  observe(observer: (worldId: string) => void): () => void;
}

/** Exchanges, with the world behind them where it is known. */
export interface InspectedTraffic {
  readonly journal: Journal<PointInTime | undefined>;
  readonly world?: World;
}
