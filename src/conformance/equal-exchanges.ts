import type { Exchange } from "../http/exchange.ts";
import { mediaType } from "../http/header.ts";

/** Characters of requests and answers that are remembered. */
export const rememberedCharactersMax: number = 2 * 1024 * 1024;
/** An exchange with more characters is judged each time anew. */
export const exchangeCharactersMax: number = 128 * 1024;

/** The last answer to a request, and what came of it. */
interface Answered<Outcome> {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly text: string;
  readonly outcome: Outcome;
}

/**
 * Remembers what came of exchanges for those that are equal to them: clients poll. Equal are method, target, bodies,
 * status and media type; of other headers and of the time no exchange rule knows.
 */
export class EqualExchanges<Outcome> {
  /** Undefined behind what was asked only once: most requests are, and to hold on to their answers takes time. */
  readonly #answers = new Map<string, Answered<Outcome> | undefined>();
  #characters = 0;

  /** What came of an equal exchange, as `again` makes it that of this one; else what `judge` makes of this one. */
  outcomeOf(exchange: Exchange, judge: () => Outcome, again: (before: Outcome) => Outcome): Outcome {
    const { request, answer } = exchange;
    if (request.text === undefined || answer.type === "broken" || answer.text === undefined) return judge();
    const key = `${request.method} ${request.target}\n${request.text}`;
    if (key.length + answer.text.length > exchangeCharactersMax) return judge();
    const known = this.#answers.get(key);
    const { status, text } = answer;
    const type = mediaType(answer.headers);
    if (known !== undefined && known.status === status && known.mediaType === type && known.text === text)
      return again(known.outcome);
    const outcome = judge();
    if (known !== undefined || this.#answers.has(key))
      this.#remember(key, { status, mediaType: type, text, outcome }, text.length - (known?.text.length ?? 0));
    else this.#remember(key, undefined, key.length);
    return outcome;
  }

  #remember(key: string, answered: Answered<Outcome> | undefined, more: number): void {
    this.#answers.set(key, answered);
    this.#characters += more;
    while (this.#characters > rememberedCharactersMax) this.#forgetFirst();
  }

  #forgetFirst(): void {
    const [key, answered] = this.#answers.entries().next().value ?? [""];
    this.#answers.delete(key);
    this.#characters -= key.length + (answered?.text.length ?? 0);
  }
}
