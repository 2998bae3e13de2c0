import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderSecret, looksLikeToken } from "../../foundation/secrets/secret-header.ts";
import { headerSecretsOf, usersAmong } from "../../foundation/secrets/secrets-of.ts";
import { bodyText } from "./body-text.ts";
import { jwtsIn } from "./jwt.ts";
import type { Renaming } from "./renaming.ts";
import { isPlaceholder } from "./secrets.ts";

/** Opaque secrets in the headers of an exchange: those to replace everywhere, and those that are user names. */
export interface LearnedSecrets {
  readonly secrets: readonly HeaderSecret[];
  readonly users: ReadonlySet<string>;
}

/** The secrets in an exchange's headers that cannot be recognized elsewhere by their form. */
export function learnSecrets(exchange: Exchange, renaming: Renaming): LearnedSecrets {
  const opaque = headerSecretsOf(exchange).filter(isOpaque);
  const users = usersAmong(opaque, exchange, bodyText);
  return { users, secrets: opaque.filter(({ text }) => !users.has(text) && !renaming.isKeptUser(text)) };
}

/** Whether a secret has no recognizable form. A cookie that contains a plain word or a ledger id is a name, not a secret. */
function isOpaque({ text, kind }: HeaderSecret): boolean {
  if (isPlaceholder(text) || text === administrator || text.includes("::") || jwtsIn(text).length > 0) return false;
  return kind === "token" || looksLikeToken(text);
}

/** The initial user of every participant. */
const administrator = "participant_admin";
