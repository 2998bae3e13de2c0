import type { Traffic, WorldStatus } from "../parts/control-api.ts";
import { emptyLog, logFor, nextPage, type PageRequest, type TrafficLog, withPage } from "./traffic-log.ts";

/** The fetched traffic, and the problem of the last request if it failed. */
export interface FollowedTraffic {
  readonly log: TrafficLog;
  readonly problem?: string;
}

/** Fetches the traffic of a world, one page at a time. */
export class TrafficFollower {
  readonly #fetchPage: (page: PageRequest) => Promise<Traffic>;
  readonly #changed: (traffic: FollowedTraffic) => void;
  #log: TrafficLog;
  #seen: WorldStatus;
  #isFetching = false;
  #isClosed = false;

  constructor(
    seen: WorldStatus,
    fetchPage: (page: PageRequest) => Promise<Traffic>,
    changed: (traffic: FollowedTraffic) => void,
  ) {
    this.#seen = seen;
    this.#log = emptyLog(seen.epoch);
    this.#fetchPage = fetchPage;
    this.#changed = changed;
  }

  /** Fetches up to the given status. Resolves when all of it is fetched, or after a failed request. */
  async follow(seen: WorldStatus): Promise<void> {
    this.#seen = seen;
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      while (!this.#isClosed && (await this.#step(this.#seen)));
    } catch (error) {
      this.#report({ log: this.#log, problem: error instanceof Error ? error.message : String(error) });
    }
    this.#isFetching = false;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Fetches one page; returns whether to continue. */
  async #step(seen: WorldStatus): Promise<boolean> {
    const log = logFor(this.#log, seen);
    if (log !== this.#log) this.#update(log);
    const request = nextPage(log, seen);
    if (request === undefined) return false;
    const page = await this.#fetchPage(request);
    // The world was reset during the request. A new status arrives, or has arrived.
    if (page.epoch !== seen.epoch) return this.#seen !== seen;
    this.#update(withPage(log, page, seen));
    return true;
  }

  #update(log: TrafficLog): void {
    this.#log = log;
    this.#report({ log });
  }

  #report(traffic: FollowedTraffic): void {
    if (!this.#isClosed) this.#changed(traffic);
  }
}
