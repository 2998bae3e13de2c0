import type { Requested } from "../load/asked.ts";
import type { Fixture } from "../workspace.ts";

/** What makes requests: names in the fixture, and a running Understudy to prepare something on. */
export interface TrafficSource {
  readonly fixture: Fixture;
  readonly understudyUrl: string;
}

/** A kind of traffic, for all servers the same. */
export interface LoadCase {
  readonly name: string;
  readonly title: string;
  /** What is asked, in a sentence or two. */
  readonly about: string;
  /** The member that every response has to each of the first requests, in their order. */
  readonly members: readonly string[];
  /** How many requests a warm-up has, where a request means the same only once; then each round has others. */
  readonly freshForWarmUp?: number;
  /** A request that has to be refused; undefined where the case is not about that. */
  readonly refused?: Requested;
  /** Requests to be sent in turn. Those that the members are of come first, whatever the round. */
  requests(source: TrafficSource, round: number, count: number): Promise<readonly Requested[]>;
}
