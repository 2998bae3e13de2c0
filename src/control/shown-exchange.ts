import { createMask, leftOut, type Mask } from "../conformance/mask.ts";
import type { HostedWorld } from "../hosting/hosting.ts";
import type { Exchange } from "../http/exchange.ts";
import type { HeaderList } from "../http/header.ts";
import { isSecretHeader } from "../http/secret-header.ts";
import { secretsOf } from "../http/secrets-of.ts";

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

/** Header fields as they are shown: those that are secrets by their names without their values. */
export function shownHeaders(headers: HeaderList, mask: Mask): readonly (readonly [string, string])[] {
  return headers.map(([name, value]) => [name, isSecretHeader(name) ? leftOut : mask(value)]);
}

export function shownBody(body: Uint8Array, mask: Mask): string {
  return mask(decoder.decode(body));
}

const decoder = new TextDecoder();
