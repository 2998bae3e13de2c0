import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";

/** Characters of requests and answers after which those that have not come again since are forgotten, all at once. */
export const rememberedCharactersMax: number = 1024 * 1024;
/** An exchange with more characters is judged each time anew. */
export const exchangeCharactersMax: number = 128 * 1024;

/** The last answer to a request, and what came of it. */
interface Answered<Outcome> {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly text: string;
  readonly outcome: Outcome;
  readonly asked: HeaderList;
  readonly answered: HeaderList;
}

/** What tells whether a recorder kept a body as it was. */
const telling = ["content-length", "content-encoding", "accept-encoding"];

/**
 * Remembers what came of exchanges for those that are equal to them: clients poll. Equal are method, target, bodies,
 * status, media type, and what headers say of the bodies; of other headers and of the time no exchange rule knows.
 */
export class EqualExchanges<Outcome> {
  /** Undefined behind what was asked only once: most requests are, and to hold on to their answers takes time. */
  #answers = new Map<string, Answered<Outcome> | undefined>();
  /** What was asked before; forgetting it entry by entry would take longer than to judge some exchanges twice. */
  #former: ReadonlyMap<string, Answered<Outcome> | undefined> = new Map();
  #characters = 0;

  /** What came of an equal exchange, as `again` makes it that of this one; else what `judge` makes of this one. */
  outcomeOf(exchange: Exchange, judge: () => Outcome, again: (before: Outcome) => Outcome): Outcome {
    const { request, answer } = exchange;
    if (request.text === undefined || answer.type === "broken" || answer.text === undefined) return judge();
    const key = `${request.method} ${request.target}\n${request.text}`;
    if (key.length + answer.text.length > exchangeCharactersMax) return judge();
    const isAskedAgain = this.#answers.has(key) || this.#former.has(key);
    const known = this.#answers.get(key) ?? this.#former.get(key);
    if (known !== undefined && isEqual(known, exchange)) {
      if (!this.#answers.has(key)) this.#remember(key, known);
      return again(known.outcome);
    }
    const outcome = judge();
    this.#remember(key, isAskedAgain ? answered(request.headers, answer, answer.text, outcome) : undefined);
    return outcome;
  }

  #remember(key: string, answered: Answered<Outcome> | undefined): void {
    this.#answers.set(key, answered);
    this.#characters += key.length + (answered?.text.length ?? 0);
    if (this.#characters <= rememberedCharactersMax) return;
    this.#former = this.#answers;
    this.#answers = new Map();
    this.#characters = 0;
  }
}

function answered<Outcome>(
  asked: HeaderList,
  { status, headers }: Response,
  text: string,
  outcome: Outcome,
): Answered<Outcome> {
  return { status, mediaType: mediaType(headers), text, outcome, asked, answered: headers };
}

function isEqual(known: Answered<unknown>, { request, answer }: Exchange): boolean {
  return (
    answer.type === "response" &&
    known.status === answer.status &&
    known.text === answer.text &&
    known.mediaType === mediaType(answer.headers) &&
    isAlike(known.answered, answer.headers) &&
    isAlike(known.asked, request.headers)
  );
}

function isAlike(before: HeaderList, now: HeaderList): boolean {
  return telling.every((name) => headerValues(before, name)[0] === headerValues(now, name)[0]);
}
