import type { Exchange } from "../http/exchange.ts";
import { SecretFinder } from "./secret-finder.ts";
import { isSearched, type KnownSecret, looksLikeToken, secretsInHeaders } from "./secret-header.ts";

/** The secrets in the headers and the target of an exchange, which stay secret wherever else they occur. */
export function secretsOf({ request, response }: Exchange): readonly KnownSecret[] {
  const received = response.type === "response" ? response : response.partial;
  const inTarget = finder.find(request.target).filter(({ text }) => looksLikeToken(text) && isSearched(text, "secret"));
  return [
    ...secretsInHeaders(request.headers),
    ...secretsInHeaders(received?.headers ?? []),
    ...inTarget.flatMap(({ text, kind }) => (kind === "private" || kind === "signature" ? [] : [{ text, kind }])),
  ];
}

const finder = new SecretFinder([]);
