import type { Exchange } from "../../foundation/http/exchange.ts";
import { createMask, type Mask } from "../../foundation/secrets/mask.ts";
import { secretsOf } from "../../foundation/secrets/secrets-of.ts";
import type { HostedWorld } from "../hosting/hosting.ts";

/**
 * Leaves out of whatever is shown of an exchange what looks like a token, a cookie, a key or a signature, and wherever it
 * stands what its secret headers hold. Where a token is the id of a user it is a name, which has to be seen.
 */
export function maskOfExchange(exchange: Exchange, world: HostedWorld["world"] | undefined): Mask {
  const users = world?.state.ledger.users;
  return createMask(
    secretsOf(exchange)
      .map(({ text }) => text)
      .filter((text) => users?.has(text) !== true),
  );
}

export function shownBody(body: Uint8Array, mask: Mask): string {
  return mask(decoder.decode(body));
}

const decoder = new TextDecoder();
