/** A difference between the responses to one step. */
export interface Difference {
  /** `identity` and `order` refer to an earlier response of the same sequence. */
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
  /** JSON pointer into the recorded response, or into the played one for a surplus member; empty for the whole response. */
  readonly pointer: string;
}
