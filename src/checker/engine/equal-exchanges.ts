import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";

/** Characters of requests and responds after which those that have not come again since are forgotten, all at once. */
export const rememberedCharactersMax: number = 1024 * 1024;
/** An exchange with more characters is checked each time anew. */
export const exchangeCharactersMax: number = 128 * 1024;

/** The last response to a request, and what came of it. */
interface Responded<Outcome> {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly text: string;
  readonly outcome: Outcome;
  readonly requested: HeaderList;
  readonly responded: HeaderList;
}

/** What tells whether a recorder kept a body as it was. */
const telling = ["content-length", "content-encoding", "accept-encoding"];

/**
 * Remembers what came of exchanges for those that are equal to them: clients poll. Equal are method, target, bodies,
 * status, media type, and what headers say of the bodies; of other headers and of the time no exchange rule knows.
 */
export class EqualExchanges<Outcome> {
  /** Undefined behind what was asked only once: most requests are, and to hold on to their responses takes time. */
  #responses = new Map<string, Responded<Outcome> | undefined>();
  /** What was asked before; forgetting it entry by entry would take longer than to check some exchanges twice. */
  #former: ReadonlyMap<string, Responded<Outcome> | undefined> = new Map();
  #characters = 0;

  /** What came of an equal exchange, as `again` makes it that of this one; else what `judge` makes of this one. */
  outcomeOf(exchange: Exchange, check: () => Outcome, again: (before: Outcome) => Outcome): Outcome {
    const { request, response } = exchange;
    if (request.text === undefined || response.type === "broken" || response.text === undefined) return check();
    const key = `${request.method} ${request.target}\n${request.text}`;
    if (key.length + response.text.length > exchangeCharactersMax) return check();
    const isRequestedAgain = this.#responses.has(key) || this.#former.has(key);
    const known = this.#responses.get(key) ?? this.#former.get(key);
    if (known !== undefined && isEqual(known, exchange)) {
      if (!this.#responses.has(key)) this.#remember(key, known);
      return again(known.outcome);
    }
    const outcome = check();
    this.#remember(key, isRequestedAgain ? responded(request.headers, response, response.text, outcome) : undefined);
    return outcome;
  }

  #remember(key: string, responded: Responded<Outcome> | undefined): void {
    this.#responses.set(key, responded);
    this.#characters += key.length + (responded?.text.length ?? 0);
    if (this.#characters <= rememberedCharactersMax) return;
    this.#former = this.#responses;
    this.#responses = new Map();
    this.#characters = 0;
  }
}

function responded<Outcome>(
  requested: HeaderList,
  { status, headers }: Response,
  text: string,
  outcome: Outcome,
): Responded<Outcome> {
  return { status, mediaType: mediaType(headers), text, outcome, requested, responded: headers };
}

function isEqual(known: Responded<unknown>, { request, response }: Exchange): boolean {
  return (
    response.type === "response" &&
    known.status === response.status &&
    known.text === response.text &&
    known.mediaType === mediaType(response.headers) &&
    isAlike(known.responded, response.headers) &&
    isAlike(known.requested, request.headers)
  );
}

function isAlike(before: HeaderList, now: HeaderList): boolean {
  return telling.every((name) => headerValues(before, name)[0] === headerValues(now, name)[0]);
}
