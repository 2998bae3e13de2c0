import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";

/** Characters of a generation of cached exchanges. */
export const rememberedCharactersMax: number = 1024 * 1024;
/** Exchanges with more characters are not cached. */
export const exchangeCharactersMax: number = 128 * 1024;

/** The last response to a request and its outcome. */
interface CachedOutcome<Outcome> {
  readonly status: number;
  readonly text: string;
  readonly outcome: Outcome;
  readonly requestHeaders: HeaderList;
  readonly responseHeaders: HeaderList;
}

/** Headers that exchange rules read: those of the body, and the token. */
export const comparedHeaders: readonly string[] = [
  "content-type",
  "content-length",
  "content-encoding",
  "accept-encoding",
  "authorization",
  "request-timeout",
];

/**
 * Caches outcomes for equal exchanges, because clients poll. Equal exchanges have the same method, target, bodies, status
 * and compared headers. Exchange rules read no other headers and no times.
 */
export class EqualExchanges<Outcome> {
  /** `once` for requests seen once: most never repeat, and caching their responses costs time. */
  readonly #responses = new GenerationCache<string, CachedOutcome<Outcome> | "once">(
    { entriesMax: Number.POSITIVE_INFINITY, sizeMax: rememberedCharactersMax },
    charactersOf,
  );

  /** The outcome of an equal exchange, adapted by `again`; without one, the result of `check`. */
  outcomeOf(exchange: Exchange, check: () => Outcome, again: (before: Outcome) => Outcome): Outcome {
    const { request, response } = exchange;
    // Different bytes can have the same text.
    if (!request.body.isText || response.type === "broken" || !response.body.isText) return check();
    const key = `${request.method} ${request.target}\n${request.body.text()}`;
    if (key.length + response.body.storedLength > exchangeCharactersMax) return check();
    const known = this.#responses.get(key);
    if (known !== undefined && known !== "once" && isEqual(known, exchange)) return again(known.outcome);
    const outcome = check();
    this.#responses.set(key, known === undefined ? "once" : cachedOutcome(request.headers, response, outcome));
    return outcome;
  }
}

function charactersOf(cached: CachedOutcome<unknown> | "once", key: string): number {
  return key.length + (cached === "once" ? 0 : cached.text.length);
}

function cachedOutcome<Outcome>(
  requestHeaders: HeaderList,
  { status, headers, body }: Response,
  outcome: Outcome,
): CachedOutcome<Outcome> {
  return {
    status,
    text: body.text(),
    outcome,
    requestHeaders,
    responseHeaders: headers,
  };
}

function isEqual(known: CachedOutcome<unknown>, { request, response }: Exchange): boolean {
  return (
    response.type === "response" &&
    known.status === response.status &&
    known.text === response.body.text() &&
    haveSameHeaders(known.responseHeaders, response.headers) &&
    haveSameHeaders(known.requestHeaders, request.headers)
  );
}

function haveSameHeaders(before: HeaderList, now: HeaderList): boolean {
  return comparedHeaders.every((name) => {
    const [left, right] = [headerValues(before, name), headerValues(now, name)];
    return left.length === right.length && left.every((value, index) => value === right[index]);
  });
}
