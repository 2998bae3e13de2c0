import { bytesToHex } from "@noble/hashes/utils.js";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { decodeTopologyTransaction, type TopologyMapping } from "../../foundation/protobuf/topology-transaction.ts";
import { secretsOf } from "../../foundation/secrets/secrets-of.ts";
import { bodyText } from "./body-text.ts";
import { isFramedKey, keyDigits } from "./generated-keys.ts";
import { createLeakGate, type LeakGate } from "./leaks.ts";
import { prosePlace } from "./place.ts";
import { type NamedOriginal, Names, namesMax, offsetMax } from "./pseudonyms.ts";
import { redactExchange } from "./redact-exchange.ts";
import type { HintKind, Renaming } from "./renaming.ts";
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

/** Names the keys and then the decentralized namespaces of an onboarding before its ids, so that fingerprints remain hashes. */
function nameOnboarding({ request }: Exchange, names: Names): void {
  if (!names.renamesBytes || !request.target.includes("/parties/external/allocate")) return;
  const body = objectOf(jsonOf(bodyText(request) ?? ""));
  const mappings = objectsOf(body["onboardingTransactions"]).flatMap(({ transaction = "" }) => {
    const mapping = decodeTopologyTransaction(textOf(transaction))?.mapping;
    return mapping === undefined ? [] : [mapping];
  });
  for (const bytes of mappings.flatMap(keysOf)) if (bytes.length > 0) names.key(bytesToHex(bytes));
  for (const mapping of mappings)
    if (mapping.type === "decentralized-namespace") names.namespace(mapping.namespace, mapping.owners);
}

function keysOf(mapping: TopologyMapping): readonly Uint8Array[] {
  switch (mapping.type) {
    case "namespace-delegation":
      return [mapping.targetKey.bytes];
    case "party-to-participant":
      return mapping.hosting.keys.map(({ bytes }) => bytes);
    case "party-to-key":
      return mapping.keys.map(({ bytes }) => bytes);
    case "decentralized-namespace":
    case "other":
      return [];
  }
}

/** Maps pseudonyms back to originals. Secrets and signatures stay, since their originals are not stored. */
class NameRestorer implements Renaming {
  readonly renamesBytes = true;
  readonly #originals: ReadonlyMap<string, string>;
  readonly #shift: bigint;

  constructor(names: readonly NamedOriginal[]) {
    const lasting = names.filter(({ kind, original }) => kind !== "offset" && !original.startsWith("sha256:"));
    this.#originals = new Map(lasting.map(({ original, name }) => [name, original]));
    this.#shift = BigInt(names.find(({ kind }) => kind === "offset")?.name ?? "0");
  }

  hex(digits: string): string {
    return this.#originals.get(digits) ?? digits;
  }

  key(digits: string): string {
    const bare = digits.slice(-keyDigits);
    return isFramedKey(digits) ? digits.slice(0, -keyDigits) + this.hex(bare) : this.hex(digits);
  }

  knownHex(digits: string): string | undefined {
    return this.#originals.get(digits);
  }

  fingerprint(text: string): string {
    const original = this.#originals.get(text.slice(4, 68));
    if (!text.startsWith("1220") || original === undefined) return text;
    return /^[0-9a-f]{64}$/.test(original) && text.length === 68 ? `1220${original}` : original;
  }

  hint(text: string, _kind: HintKind, _fingerprint: string | undefined): string {
    return this.#back(text);
  }

  hasHint(text: string): boolean {
    return this.#originals.has(text);
  }

  spacedHints(): readonly string[] {
    return [];
  }

  shortContract(rest: string): string {
    return rest;
  }

  word(text: string): string {
    return this.#back(text);
  }

  secret(text: string): string {
    return text;
  }

  knownToken(): undefined {
    return undefined;
  }

  user(id: string): string {
    return this.#back(id);
  }

  isKeptUser(): boolean {
    return false;
  }

  inProse(word: string): string | undefined {
    return this.#originals.get(word);
  }

  offset(value: bigint): bigint {
    const original = value - this.#shift;
    return value <= 0n || original <= 0n || original > offsetMax ? value : original;
  }

  #back(name: string): string {
    return this.#originals.get(name) ?? name;
  }
}
