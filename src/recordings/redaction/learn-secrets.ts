import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderSecret, looksLikeToken } from "../../foundation/secrets/secret-header.ts";
import { headerSecretsOf, usersAmong } from "../../foundation/secrets/secrets-of.ts";
import { bodyText } from "./body-text.ts";
import { jwtsIn } from "./jwt.ts";
import type { Renaming } from "./renaming.ts";
import { isPlaceholder } from "./secrets.ts";

/** What an exchange teaches of opaque secrets: those to be renamed wherever they stand, and those that are names of users. */
export interface Learnt {
  readonly secrets: readonly HeaderSecret[];
  readonly users: ReadonlySet<string>;
}

/** The secrets of an exchange's headers that nobody would know again elsewhere by their form. */
export function learntFrom(exchange: Exchange, renaming: Renaming): Learnt {
  const opaque = headerSecretsOf(exchange).filter(isOpaque);
  const users = usersAmong(opaque, exchange, (message) => message.text ?? bodyText(message));
  return { users, secrets: opaque.filter(({ text }) => !users.has(text) && !renaming.isKeptUser(text)) };
}

/** A JWT is known anywhere; a cookie may hold a word or an id of the ledger, which is a name. */
function isOpaque({ text, kind }: HeaderSecret): boolean {
  if (isPlaceholder(text) || text === administrator || text.includes("::") || jwtsIn(text).length > 0) return false;
  return kind === "token" || looksLikeToken(text);
}

/** The user that every participant begins with. */
const administrator = "participant_admin";
