import type { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { readableText } from "../../foundation/http/readable-text.ts";
import { createMask, type Mask } from "../../foundation/secrets/mask.ts";
import { secretsOf } from "../../foundation/secrets/secrets-of.ts";
import type { World } from "../../simulator/world/world.ts";

/**
 * Creates a mask that redacts the secrets of an exchange: tokens, cookies, keys, signatures, and the values of secret
 * headers wherever they occur. A token that is a user id is a name and stays visible.
 */
export function maskOfExchange(exchange: Exchange, world: World | undefined): Mask {
  const users = world?.state.ledger.users;
  return createMask(
    secretsOf(exchange)
      .map(({ text }) => text)
      .filter((text) => users?.has(text) !== true),
  );
}

export function shownBody(body: Body, mask: Mask): string {
  return mask(readableText(body));
}
