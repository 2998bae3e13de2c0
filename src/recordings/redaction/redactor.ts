import type { Exchange } from "../../foundation/http/exchange.ts";
import { createLeakGate, type Leak } from "./leaks.ts";
import { learntFrom } from "./learn-secrets.ts";
import { prosePlace } from "./place.ts";
import { type NamedOriginal, Names, namesMax } from "./pseudonyms.ts";
import { redactExchange } from "./redact-exchange.ts";
import { NameRestorer } from "./restore-names.ts";
import { ValueRedactor } from "./value-redactor.ts";

export interface RedactorOptions {
  /** Tokens, cookies, signatures and keys are taken out, ids stay: for private use. */
  readonly keepsIds?: boolean;
  readonly renamesUsers?: boolean;
  /** Texts that must not be written, such as passwords; each of `secretLengthMin` characters at least. */
  readonly secrets?: readonly string[];
  /** What an earlier recording was redacted with, so that both share names. */
  readonly names?: readonly NamedOriginal[];
  /** Names that are remembered at most. */
  readonly namesMax?: number;
}

/** A shorter text stands everywhere by chance. */
export const secretLengthMin = 6;

/** A function from exchange to exchange with a memory of names. The same exchanges in the same order give the same. */
export interface Redactor {
  /** The exchange under names. Throws `NamesExhausted` where the memory is full: nothing of the exchange may be shown. */
  redact(exchange: Exchange): Exchange;
  /** A line of prose under the same names, such as the reason phrase of a status line. Throws as `redact` does. */
  redactText(text: string): string;
  /** The secrets that survive in a text that is about to be written. */
  leaksIn(text: string): readonly Leak[];
  /** What became of what, for a private file. */
  names(): readonly NamedOriginal[];
  /** How many originals of each kind were renamed. */
  readonly counts: ReadonlyMap<string, number>;
}

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { keepsIds = false, renamesUsers = false, secrets = [], names: earlier = [] } = options;
  if (secrets.some((secret) => secret.length < secretLengthMin))
    throw new RangeError(`a secret needs at least ${secretLengthMin} characters`);
  const names = new Names({ keepsIds, renamesUsers, namesMax: options.namesMax ?? namesMax, earlier });
  // A secret within another one must not hide it.
  const ordered = secrets.toSorted((left, right) => right.length - left.length);
  const redactor = new ValueRedactor(names, ordered);
  return {
    redact: (exchange) => {
      redactor.learn(learntFrom(exchange, names));
      return redactExchange(exchange, redactor, names);
    },
    redactText: (text) => redactor.text(text, prosePlace, 0),
    leaksIn: createLeakGate(ordered),
    names: () => names.list(),
    counts: names.counts,
  };
}

/** The way back by what a redactor named: gives exchanges as they were, secrets and signatures apart. */
export function createRestorer(names: readonly NamedOriginal[]): (exchange: Exchange) => Exchange {
  const back = new NameRestorer(names);
  const restorer = new ValueRedactor(back, []);
  return (exchange) => redactExchange(exchange, restorer, back);
}
