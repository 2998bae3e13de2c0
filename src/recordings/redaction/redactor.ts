import type { Exchange } from "../../foundation/http/exchange.ts";
import { createLeakGate, type Leak } from "./leaks.ts";
import { learntFrom } from "./learn-secrets.ts";
import { prosePlace } from "./place.ts";
import { type NamedOriginal, Names, namesMax } from "./pseudonyms.ts";
import { scrubExchange } from "./redact-exchange.ts";
import { NamesBack } from "./restore-names.ts";
import { ValueScrubber } from "./value-redactor.ts";

export interface ScrubberSettings {
  /** Tokens, cookies, signatures and keys are taken out, ids stay: for private use. */
  readonly keepsIds?: boolean;
  readonly renamesUsers?: boolean;
  /** Texts that must not be written, such as passwords; each of `secretLengthMin` characters at least. */
  readonly secrets?: readonly string[];
  /** What an earlier recording was scrubbed with, so that both share names. */
  readonly names?: readonly NamedOriginal[];
  /** Names that are remembered at most. */
  readonly namesMax?: number;
}

/** A shorter text stands everywhere by chance. */
export const secretLengthMin = 6;

/** A function from exchange to exchange with a memory of names. The same exchanges in the same order give the same. */
export interface Scrubber {
  /** The exchange under names. Throws `NamesExhausted` where the memory is full: nothing of the exchange may be shown. */
  scrub(exchange: Exchange): Exchange;
  /** A line of prose under the same names, such as the reason phrase of a status line. Throws as `scrub` does. */
  scrubText(text: string): string;
  /** The secrets that survive in a text that is about to be written. */
  leaksIn(text: string): readonly Leak[];
  /** What became of what, for a private file. */
  names(): readonly NamedOriginal[];
  /** How many originals of each kind were renamed. */
  readonly counts: ReadonlyMap<string, number>;
}

export function createScrubber(settings: ScrubberSettings = {}): Scrubber {
  const { keepsIds = false, renamesUsers = false, secrets = [], names: earlier = [] } = settings;
  if (secrets.some((secret) => secret.length < secretLengthMin))
    throw new RangeError(`a secret has ${secretLengthMin} characters at least`);
  const names = new Names({ keepsIds, renamesUsers, namesMax: settings.namesMax ?? namesMax, earlier });
  // A secret within another one must not hide it.
  const ordered = secrets.toSorted((left, right) => right.length - left.length);
  const scrubber = new ValueScrubber(names, ordered);
  return {
    scrub: (exchange) => {
      scrubber.learn(learntFrom(exchange, names));
      return scrubExchange(exchange, scrubber, names);
    },
    scrubText: (text) => scrubber.text(text, prosePlace, 0),
    leaksIn: createLeakGate(ordered),
    names: () => names.list(),
    counts: names.counts,
  };
}

/** The way back by what a scrubber named: gives exchanges as they were, secrets and signatures apart. */
export function createRestorer(names: readonly NamedOriginal[]): (exchange: Exchange) => Exchange {
  const back = new NamesBack(names);
  const restorer = new ValueScrubber(back, []);
  return (exchange) => scrubExchange(exchange, restorer, back);
}
