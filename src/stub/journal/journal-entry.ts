import type { Exchange } from "../../foundation/http/exchange.ts";

/** Why a stub did not expect a request: unknown path, wrong method, or not planned by the scenario. */
export type Unexpected = "unknown-path" | "wrong-method" | "unplanned";

/** An exchange with a world, with its virtual time and operation. */
export interface JournalEntry extends Exchange {
  /** Virtual time at which the request arrived: ISO-8601 in UTC. */
  readonly virtualAt: string;
  /** The operation of the spec; undefined if the request matches none. */
  readonly operationId: string | undefined;
  /** Undefined for an expected request. */
  readonly unexpected: Unexpected | undefined;
}
