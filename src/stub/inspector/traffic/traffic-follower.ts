import type { Traffic, WorldStatus } from "../parts/control-api.ts";
import { emptyLog, logFor, nextPage, type PageRequested, type TrafficLog, withPage } from "./traffic-log.ts";

/** What is known of the traffic, and why no more is. */
export interface FollowedTraffic {
  readonly log: TrafficLog;
  readonly problem?: string;
}

/** Fetches what a world's traffic lacks, a page at a time: the next is asked for when the one before has come. */
export class TrafficFollower {
  readonly #fetchPage: (requested: PageRequested) => Promise<Traffic>;
  readonly #changed: (traffic: FollowedTraffic) => void;
  #log: TrafficLog;
  #seen: WorldStatus;
  #isFetching = false;
  #isClosed = false;

  constructor(
    seen: WorldStatus,
    fetchPage: (requested: PageRequested) => Promise<Traffic>,
    changed: (traffic: FollowedTraffic) => void,
  ) {
    this.#seen = seen;
    this.#log = emptyLog(seen.epoch);
    this.#fetchPage = fetchPage;
    this.#changed = changed;
  }

  /** Resolves when all that the stub told of is there, or cannot be had until it tells more. */
  async follow(seen: WorldStatus): Promise<void> {
    this.#seen = seen;
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      while (!this.#isClosed && (await this.#step(this.#seen)));
    } catch (error) {
      this.#tell({ log: this.#log, problem: error instanceof Error ? error.message : String(error) });
    }
    this.#isFetching = false;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Gives whether there may be more to do. */
  async #step(seen: WorldStatus): Promise<boolean> {
    const log = logFor(this.#log, seen);
    if (log !== this.#log) this.#take(log);
    const requested = nextPage(log, seen);
    if (requested === undefined) return false;
    const page = await this.#fetchPage(requested);
    // The world was reset meanwhile; the stub will tell, or has told already.
    if (page.epoch !== seen.epoch) return this.#seen !== seen;
    this.#take(withPage(log, page, seen));
    return true;
  }

  #take(log: TrafficLog): void {
    this.#log = log;
    this.#tell({ log });
  }

  #tell(traffic: FollowedTraffic): void {
    if (!this.#isClosed) this.#changed(traffic);
  }
}
