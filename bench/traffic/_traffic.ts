import type { Fetch, LoadRequest } from "../request.ts";
import type { World } from "../workspace.ts";

/** A kind of traffic, the same for all servers. */
export interface Traffic {
  readonly name: string;
  readonly title: string;
  /** For each of the first requests, the member that its response must have. */
  readonly members: readonly string[];
  /** Whether each request can be sent only once. */
  readonly isFresh?: boolean;
  /** Requests that a small world needs first. */
  setUp?(world: World): readonly LoadRequest[];
  /** Requests to send in turn, made with a running Understudy. No two rounds have the same. Those of `members` come first. */
  requests(world: World, round: number, count: number, send: Fetch): Promise<readonly LoadRequest[]>;
}
