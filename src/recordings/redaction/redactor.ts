import type { Exchange } from "../../foundation/http/exchange.ts";
import { secretsOf } from "../../foundation/secrets/secrets-of.ts";
import { createLeakGate, type LeakGate } from "./leaks.ts";
import { nameOnboarding } from "./name-onboarding.ts";
import { prosePlace } from "./place.ts";
import { type NamedOriginal, Names, namesMax } from "./pseudonyms.ts";
import { redactExchange } from "./redact-exchange.ts";
import { NameRestorer } from "./restore-names.ts";
import { ValueRedactor } from "./value-redactor.ts";

export interface RedactorOptions {
  /** Redacts tokens, cookies, signatures and keys, and keeps ids: for private use. */
  readonly keepsIds?: boolean;
  readonly renamesUsers?: boolean;
  /** Texts that must not be written, such as passwords; each has at least `secretLengthMin` characters. */
  readonly secrets?: readonly string[];
  /** Pseudonyms of an earlier recording, so that both recordings share them. */
  readonly names?: readonly NamedOriginal[];
  /** Limit of permanent pseudonyms. */
  readonly namesMax?: number;
}

/** Shorter texts occur everywhere by chance. */
export const secretLengthMin = 6;

/** Redacts exchanges and remembers pseudonyms. Deterministic: the same exchanges in the same order give the same result. */
export interface Redactor {
  /** The redacted exchange. Throws `NamesExhausted` if the memory is full: no part of the exchange may be shown then. */
  redact(exchange: Exchange): Exchange;
  /** A redacted line of prose, such as the reason phrase of a status line. Throws as `redact` does. */
  redactText(text: string): string;
  /** Secrets that remain in an entry, or in a text, before it is written. */
  readonly leaksIn: LeakGate;
  /** All originals with their pseudonyms, for a private file. */
  names(): readonly NamedOriginal[];
  /** How many originals of each kind were renamed. */
  readonly counts: ReadonlyMap<string, number>;
}

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { keepsIds = false, renamesUsers = false, secrets = [], names: earlier = [] } = options;
  if (secrets.some((secret) => secret.length < secretLengthMin))
    throw new RangeError(`a secret needs at least ${secretLengthMin} characters`);
  const names = new Names({ keepsIds, renamesUsers, namesMax: options.namesMax ?? namesMax, earlier });
  const redactor = new ValueRedactor(names, secrets);
  return {
    redact: (exchange) => {
      redactor.learn(secretsOf(exchange));
      nameOnboarding(exchange, names);
      return redactExchange(exchange, redactor, names);
    },
    redactText: (text) => redactor.text(text, prosePlace, 0),
    leaksIn: createLeakGate(secrets),
    names: () => names.list(),
    counts: names.counts,
  };
}

/** Creates a function that restores the originals of a redacted exchange, except secrets and signatures. */
export function createRestorer(names: readonly NamedOriginal[]): (exchange: Exchange) => Exchange {
  const back = new NameRestorer(names);
  const restorer = new ValueRedactor(back, []);
  return (exchange) => redactExchange(exchange, restorer, back);
}
