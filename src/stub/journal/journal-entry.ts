import type { Exchange } from "../../foundation/http/exchange.ts";

/** Why a stub did not expect a request: no such path, no such method there, or a scenario that does not plan it. */
export type Unexpected = "unknown-path" | "wrong-method" | "unplanned";

/** An exchange as a world saw it. */
export interface JournalEntry extends Exchange {
  /** When the request came, in virtual time: ISO-8601 in UTC. */
  readonly virtualAt: string;
  /** The operation of the contract; undefined where the request is of none. */
  readonly operationId: string | undefined;
  /** Undefined for a request that the stub expected, whatever it returned. */
  readonly unexpected: Unexpected | undefined;
}
