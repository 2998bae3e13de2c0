import type { Json } from "../../foundation/json/json.ts";
import type { Clash } from "./correspondence.ts";

/** Where two responses to the same step differ. */
export interface Difference {
  /** What of the responses differs; `identity` and `order` are about an earlier response of the same walk. */
  readonly aspect:
    | "response"
    | "status"
    | "media-type"
    | "value"
    | "missing"
    | "surplus"
    | "length"
    | "identity"
    | "order";
  /** JSON pointer into the oracle's answer, or to what only the target has; empty for the whole of it. */
  readonly pointer: string;
  /** What the oracle has and the target has there; undefined for nothing. */
  readonly oracle: Json | undefined;
  readonly target: Json | undefined;
  readonly clash: Clash | undefined;
}
