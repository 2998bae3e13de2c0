/** What a name stands for; a name in letters begins with its kind. */
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

/** Gives one value for another: names for originals, or the way back. The same value always gives the same. */
export interface Renaming {
  /** As many lower-case hex digits, an even number and 16 at least. */
  hex(digits: string, kind: HexKind): string;
  /** Hex digits that were renamed before. */
  knownHex(digits: string): string | undefined;
  /** The part of an id behind `::`, or a key's fingerprint, of whatever syntax. */
  fingerprint(text: string): string;
  /** The part of an id before `::`, which comes with the fingerprint, or alone. */
  hint(text: string, kind: HintKind, fingerprint: string | undefined): string;
  /** Whether the hint was renamed before. */
  hasHint(text: string): boolean;
  /** Hints with a space that belong to a fingerprint. */
  spacedHints(fingerprint: string): readonly string[];
  /** What follows the first byte of a contract id that is too short for a name of its length. */
  shortContract(rest: string): string;
  word(text: string, kind: WordKind): string;
  secret(text: string, kind: SecretKind): string;
  /** A token that was renamed before. */
  knownToken(text: string): string | undefined;
  user(id: string): string;
  isKeptUser(id: string): boolean;
  /** A word of a sentence, where it is known for a name. */
  inProse(word: string): string | undefined;
  offset(value: bigint): bigint;
  /** Whether bytes that nobody can read, keys and hashes are renamed too. */
  readonly renamesBytes: boolean;
}
