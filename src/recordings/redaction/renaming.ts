/** Kinds of originals; a pseudonym in words begins with its kind. */
export const hintKinds = ["party", "synchronizer", "participant", "mediator", "sequencer"] as const;
const hexKinds = [
  "fingerprint",
  "contract",
  "contract-suffix",
  "update",
  "hash",
  "key",
  "opaque",
  "trace",
  "span",
  "signature",
] as const;
const wordKinds = ["correlation", "user"] as const;
const secretKinds = ["token", "credentials", "cookie", "secret", "trace-state"] as const;
/** All kinds but that of signatures, whose pseudonyms are not stored. */
export const storedKinds: ReadonlySet<unknown> = new Set(
  [...hintKinds, ...hexKinds, ...wordKinds, ...secretKinds].filter((kind) => kind !== "signature"),
);
export type HintKind = (typeof hintKinds)[number];
export type HexKind = (typeof hexKinds)[number];
export type WordKind = (typeof wordKinds)[number];
export type SecretKind = (typeof secretKinds)[number];
export type NameKind = HintKind | HexKind | WordKind | SecretKind;

export function isHintKind(kind: string): kind is HintKind {
  return hintKinds.some((known) => known === kind);
}

export function isSecretKind(kind: string): kind is SecretKind {
  return secretKinds.some((known) => known === kind);
}

/** Maps originals to pseudonyms, or back. The same value always gives the same result. */
export interface Renaming {
  /** The same number of lower-case hex digits; `digits` has an even number, at least 16. */
  hex(digits: string, kind: HexKind): string;
  /** A public key in hex digits. Its fingerprint is the result for the fingerprint of the key. */
  key(digits: string): string;
  /** The result for hex digits that were mapped before. */
  knownHex(digits: string): string | undefined;
  /** The part of an id after `::`, or a key's fingerprint, of any syntax. */
  fingerprint(text: string): string;
  /** The part of an id before `::`, with or without its fingerprint. */
  hint(text: string, kind: HintKind, fingerprint: string | undefined): string;
  /** Whether the hint was renamed before. */
  hasHint(text: string): boolean;
  /** Hints with a space that belong to a fingerprint. */
  spacedHints(fingerprint: string): readonly string[];
  /** The part after the first byte of a contract id that is too short for a pseudonym of its length. */
  shortContract(rest: string): string;
  word(text: string, kind: WordKind): string;
  secret(text: string, kind: SecretKind): string;
  /** A token that was renamed before. */
  knownToken(text: string): string | undefined;
  user(id: string): string;
  isKeptUser(id: string): boolean;
  /** The result for a word of prose, if it is known. */
  inProse(word: string): string | undefined;
  offset(value: bigint): bigint;
  /** Whether unreadable bytes, keys and hashes are mapped too. */
  readonly renamesBytes: boolean;
}
