import { headerValues } from "../../../foundation/http/header.ts";
import { isSecretName } from "../../../foundation/secrets/secret-name.ts";
import type { CheckedExchange, TokenKind } from "../rule.ts";

/** Which kind of token the request of a ledger operation has; undefined if the exchanges so far do not show it. */
export type RequestTokens = (checked: CheckedExchange) => TokenKind | undefined;

/**
 * Reads the tokens of the requests to one target. A recorder may omit the header in all requests; after it has shown one
 * token, a request without credentials has none. Other credentials, such as a cookie, may become a token in a gateway.
 */
export function watchRequestTokens(): RequestTokens {
  let isShown = false;
  return ({ context, exchange }) => {
    if (context.token !== undefined) return context.token;
    const { headers } = exchange.request;
    const credentials = headerValues(headers, "authorization");
    if (credentials.some((text) => !otherScheme.test(text) && !withoutToken.test(text))) {
      isShown = true;
      return undefined;
    }
    const hasMore = headers.some(([name]) => name.toLowerCase() !== "authorization" && isCredential(name));
    if (hasMore) return undefined;
    const hasOtherScheme = credentials.length > 0 && credentials.every((text) => otherScheme.test(text));
    return hasOtherScheme || isShown ? "none" : undefined;
  };
}

const otherScheme = /^(?:basic|digest|negotiate|apikey|hoba|mutual|scram-\S+)(?:\s|$)/i;
const withoutToken = /^\s*(?:bearer\s*)?$/i;

function isCredential(name: string): boolean {
  return isSecretName(name) || name.toLowerCase() === "sec-websocket-protocol";
}
