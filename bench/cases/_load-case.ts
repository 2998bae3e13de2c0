import type { LoadRequest } from "../load/request.ts";
import type { Fixture } from "../workspace.ts";

/** Inputs of requests: names in the fixture, and a running Understudy to prepare transactions on. */
export interface TrafficSource {
  readonly fixture: Fixture;
  readonly understudyUrl: string;
}

/** A kind of traffic, the same for all servers. */
export interface LoadCase {
  readonly name: string;
  readonly title: string;
  /** Description of the requests, in one or two sentences. */
  readonly about: string;
  /** For each of the first requests, the member that its response must have. */
  readonly members: readonly string[];
  /** Number of warm-up requests, if each request can be sent only once; each round then has its own. */
  readonly freshForWarmUp?: number;
  /** A request that must be refused; undefined if the case has none. */
  readonly refused?: LoadRequest;
  /** Requests to send in turn. In each round the requests of `members` come first. */
  requests(source: TrafficSource, round: number, count: number): Promise<readonly LoadRequest[]>;
}
