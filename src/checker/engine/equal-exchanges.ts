import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";

/** Characters of a generation of cached exchanges. Then a new generation begins and the one before the current is dropped. */
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
  #responses = new Map<string, CachedOutcome<Outcome> | "once">();
  /** The generation before. Evicting entry by entry would cost more than checking some exchanges twice. */
  #previous: ReadonlyMap<string, CachedOutcome<Outcome> | "once"> = new Map();
  #characters = 0;

  /** The outcome of an equal exchange, adapted by `again`; without one, the result of `check`. */
  outcomeOf(exchange: Exchange, check: () => Outcome, again: (before: Outcome) => Outcome): Outcome {
    const { request, response } = exchange;
    // Different bytes can have the same text.
    if (!request.body.isText || response.type === "broken" || !response.body.isText) return check();
    const key = `${request.method} ${request.target}\n${request.body.text()}`;
    if (key.length + response.body.storedLength > exchangeCharactersMax) return check();
    const current = this.#responses.get(key);
    const known = current ?? this.#previous.get(key);
    if (known !== undefined && known !== "once" && isEqual(known, exchange)) {
      if (current === undefined) this.#remember(key, known);
      return again(known.outcome);
    }
    const outcome = check();
    this.#remember(key, known === undefined ? "once" : cachedOutcome(request.headers, response, outcome));
    return outcome;
  }

  #remember(key: string, cached: CachedOutcome<Outcome> | "once"): void {
    this.#characters += charactersOf(key, cached) - charactersOf(key, this.#responses.get(key));
    this.#responses.set(key, cached);
    if (this.#characters <= rememberedCharactersMax) return;
    this.#previous = this.#responses;
    this.#responses = new Map();
    this.#characters = 0;
  }
}

function charactersOf(key: string, cached: CachedOutcome<unknown> | "once" | undefined): number {
  if (cached === undefined) return 0;
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
