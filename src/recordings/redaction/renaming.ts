/** Kinds of originals; a pseudonym in words begins with its kind. */
export type HintKind = "party" | "synchronizer" | "participant" | "mediator" | "sequencer";
export type HexKind =
  | "fingerprint"
  | "contract"
  | "contract-suffix"
  | "update"
  | "hash"
  | "key"
  | "opaque"
  | "trace"
  | "span"
  | "signature";
export type WordKind = "correlation" | "user";
export type SecretKind = "token" | "credentials" | "cookie" | "secret" | "trace-state";
export type NameKind = HintKind | HexKind | WordKind | SecretKind;

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
