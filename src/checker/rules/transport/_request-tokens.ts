import { headerValues } from "../../../foundation/http/header.ts";
import { isSecretName } from "../../../foundation/secrets/secret-name.ts";
import type { CheckedExchange, Memories, TokenKind } from "../rule.ts";

/** Which kind of token the request of a ledger operation has; undefined if the exchanges so far do not show it. */
type RequestTokens = (checked: CheckedExchange) => TokenKind | undefined;

/**
 * Reads the tokens of the requests to one target. A recorder may omit the header in all requests; after it has shown one
 * token of a sender, a request of this sender without credentials has none. A gateway may add the tokens of other senders,
 * or turn other credentials, such as a cookie, into a token.
 */
export function watchRequestTokens(memories: Memories): RequestTokens {
  const senders = memories.map<true>();
  return ({ context, exchange }) => {
    if (context.token !== undefined) return context.token;
    const { headers } = exchange.request;
    const sender = headerValues(headers, "user-agent").join("\n");
    const credentials = headerValues(headers, "authorization");
    if (credentials.some((text) => !otherScheme.test(text) && !withoutToken.test(text))) {
      senders.set(sender, true);
      return undefined;
    }
    const hasMore = headers.some(([name]) => name.toLowerCase() !== "authorization" && isCredential(name));
    if (hasMore) return undefined;
    const hasOtherScheme = credentials.length > 0 && credentials.every((text) => otherScheme.test(text));
    return hasOtherScheme || senders.get(sender) === true ? "none" : undefined;
  };
}

/** Tokens that a ledger has to refuse, as part of a sentence about the request. */
export const refusedTokens: ReadonlyMap<string, string> = new Map([
  ["none", "without a token"],
  ["invalid", "with an invalid token"],
  ["expired", "with an expired token"],
]);

const otherScheme = /^(?:basic|digest|negotiate|apikey|hoba|mutual|scram-\S+)(?:\s|$)/i;
const withoutToken = /^\s*(?:bearer\s*)?$/i;

function isCredential(name: string): boolean {
  return isSecretName(name) || name.toLowerCase() === "sec-websocket-protocol";
}
