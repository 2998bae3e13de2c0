import type { Body } from "./body.ts";
import type { HeaderList } from "./header.ts";

/** What requests and responses have in common. */
export interface Message {
  readonly headers: HeaderList;
  readonly body: Body;
}
