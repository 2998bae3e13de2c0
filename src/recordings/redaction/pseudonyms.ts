import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { decentralizedNamespaceOf } from "../../foundation/protobuf/fingerprint.ts";
import { ed25519Frame, fingerprintDigits, GeneratedKeys, isFramedKey, keyDigits } from "./generated-keys.ts";
import { hexName, isHexName } from "./generated-name.ts";
import {
  type HexKind,
  type HintKind,
  hintKinds,
  isHintKind,
  isSecretKind,
  type NameKind,
  type Renaming,
  type SecretKind,
  storedKinds,
  type WordKind,
} from "./renaming.ts";

/** An original with its pseudonym. Of a secret only the digest `sha256:…` is stored. The name of kind `offset` is a number added to each offset. */
export interface NamedOriginal {
  readonly kind: NameKind | "offset";
  readonly original: string;
  readonly name: string;
}

/** Limit of permanent pseudonyms: of parties, contracts, updates, tokens and others with long-lived references. */
export const namesMax = 1_000_000;
/** Limit of permanent pseudonyms and their originals, in bytes. */
const namesBytesMax: number = 256 * 1024 * 1024;
/** Limit of temporary pseudonyms: traces, spans, correlation ids, signatures and salts. The oldest is dropped first. */
export const passingNamesMax = 100_000;

/** Whether a value, for example from a file, is a kind of pseudonym. */
export function isNameKind(kind: unknown): kind is NamedOriginal["kind"] {
  return kind === "offset" || storedKinds.has(kind);
}

/** The memory of names is full. The exchange is refused, since its new identifiers cannot get pseudonyms. */
export class NamesExhausted extends Error {
  constructor(limit: string) {
    super(`the memory of names is full: ${limit}`);
    this.name = "NamesExhausted";
  }
}

interface NamesOptions {
  readonly keepsIds: boolean;
  readonly renamesUsers: boolean;
  readonly namesMax: number;
  readonly earlier: readonly NamedOriginal[];
}

interface Pseudonym {
  readonly name: string;
  readonly kind: NameKind;
}

const passing: ReadonlySet<string> = new Set(["trace", "span", "correlation", "signature", "opaque", "trace-state"]);
export const ownHint: RegExp = new RegExp(`^(?:${hintKinds.join("|")})-[1-9]\\d*$`);
const ownWord = /^(?:correlation|renamed-user)-[1-9]\d*$/;
const ownSecret = /^(?:token|credentials|cookie|secret|trace-state)-[1-9]\d*$/;
/** The pseudonym of the first offset; older offsets get smaller numbers. */
export const firstOffset = 1_000_000_000_000n;
/**
 * The largest offset that is shifted. A real ledger does not reach it: at a thousand updates a second that takes decades.
 * A larger offset stays unchanged, so the shift is never negative.
 */
export const offsetMax: bigint = (firstOffset * 3n) / 2n;
/** Approximate size of an entry without its texts, in bytes. */
const entryBytes = 100;
const normalFingerprintDigits = 64;
/** Shorter words in prose are not replaced. */
const proseHintLengthMin = 3;

/** A bounded one-to-one mapping between originals and pseudonyms. */
export class Names implements Renaming {
  readonly #options: NamesOptions;
  /** Texts in hex digits, and non-standard ids with pseudonyms in hex digits. */
  readonly #hex = new Map<string, Pseudonym>();
  readonly #hints = new Map<string, Pseudonym>();
  readonly #words = new Map<string, Pseudonym>();
  readonly #secrets = new Map<string, Pseudonym>();
  readonly #users = new Map<string, Pseudonym>();
  /** Secrets of an earlier recording, by digest. */
  readonly #digests = new Map<string, Pseudonym>();
  readonly #spacedHints = new Map<string, string[]>();
  readonly #taken = new Set<string>();
  readonly #keys = new GeneratedKeys();
  readonly #earlier: ReadonlySet<string>;
  readonly #numbers = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  #passing: { readonly map: Map<string, Pseudonym>; readonly original: string }[] = [];
  #passingFrom = 0;
  #lastingCount = 0;
  #lastingBytes = 0;
  #shift: bigint | undefined;

  constructor(options: NamesOptions) {
    this.#options = options;
    for (const { kind, original, name } of options.earlier)
      if (kind === "offset") this.#shift = BigInt(name);
      else this.#add(this.#mapOf(kind, original), original, { name, kind });
    this.#earlier = new Set(this.#taken);
    this.#counts.clear();
  }

  get renamesBytes(): boolean {
    return !this.#options.keepsIds;
  }

  hex(digits: string, kind: HexKind): string {
    if (this.#options.keepsIds && kind !== "signature") return digits;
    const known = this.#hex.get(digits);
    if (known !== undefined) return known.name;
    const isFingerprint = kind === "fingerprint" && digits.length === normalFingerprintDigits;
    const nameOf = (number: number) =>
      isFingerprint ? this.#keys.fingerprint(number) : hexName(kind, number, digits.length);
    const name = this.#isOwnHex(digits) ? digits : this.#free(kind, nameOf);
    return this.#add(this.#hex, digits, { name, kind });
  }

  key(digits: string): string {
    if (this.#options.keepsIds) return digits;
    const known = this.#hex.get(digits);
    if (known !== undefined) return known.name;
    const fingerprint = fingerprintDigits(digits);
    const name = isHexName(digits) ? digits : this.#keyName(digits, fingerprint);
    if (!this.#hex.has(fingerprint))
      this.#add(this.#hex, fingerprint, { name: fingerprintDigits(name), kind: "fingerprint" });
    // The bare key within the DER form has the name.
    return name.startsWith(ed25519Frame) ? name : this.#add(this.#hex, digits, { name, kind: "key" });
  }

  /** The generated key of the fingerprint, where that is named already or has a key of the same length. */
  #keyName(digits: string, fingerprint: string): string {
    const isGenerated = this.#hex.has(fingerprint) || digits.length === keyDigits;
    const generated = isGenerated ? this.#keys.keyOf(this.hex(fingerprint, "fingerprint")) : undefined;
    if (generated !== undefined) return generated;
    if (isFramedKey(digits)) return ed25519Frame + this.key(digits.slice(-keyDigits));
    return this.#free("key", (number) => hexName("key", number, digits.length));
  }

  namespace(text: string, owners: readonly string[]): void {
    if (this.#options.keepsIds || !isNormalFingerprint(text) || this.#hex.has(text.slice(4))) return;
    const name = decentralizedNamespaceOf(owners.map((owner) => this.fingerprint(owner))).slice(4);
    this.#add(this.#hex, text.slice(4), { name, kind: "fingerprint" });
  }

  #isOwnHex(digits: string): boolean {
    return isHexName(digits) || this.#keys.keyOf(digits) !== undefined || this.#hex.get(digits)?.name === digits;
  }

  knownHex(digits: string): string | undefined {
    return this.#hex.get(digits)?.name;
  }

  fingerprint(text: string): string {
    if (this.#options.keepsIds) return text;
    if (isNormalFingerprint(text)) return `1220${this.hex(text.slice(4), "fingerprint")}`;
    if (isLongOwnFingerprint(text)) return text;
    return `1220${this.#odd(text, "fingerprint")}`.padEnd(text.length, "0");
  }

  shortContract(rest: string): string {
    return this.#options.keepsIds ? rest : this.#odd(rest, "contract");
  }

  #odd(text: string, kind: "fingerprint" | "contract"): string {
    const known = this.#hex.get(text);
    if (known !== undefined) return known.name;
    const name = this.#free(kind, (number) => hexName(kind, number, normalFingerprintDigits));
    return this.#add(this.#hex, text, { name, kind });
  }

  hint(text: string, kind: HintKind, fingerprint: string | undefined): string {
    if (this.#options.keepsIds) return text;
    if (fingerprint !== undefined && text.includes(" ")) this.#noteSpaced(text, fingerprint);
    const known = this.#hints.get(text);
    if (known !== undefined) return known.name;
    const isOwn =
      ownHint.test(text) && (fingerprint === undefined ? this.#isFree(text) : this.#isOwnHex(fingerprint.slice(4)));
    return this.#add(this.#hints, text, { name: isOwn ? text : this.#free(kind), kind });
  }

  hasHint(text: string): boolean {
    return this.#hints.has(text);
  }

  spacedHints(fingerprint: string): readonly string[] {
    return this.#spacedHints.get(fingerprint) ?? [];
  }

  #noteSpaced(hint: string, fingerprint: string): void {
    const known = this.#spacedHints.get(fingerprint);
    if (known === undefined) this.#spacedHints.set(fingerprint, [hint]);
    else if (!known.includes(hint)) known.push(hint);
  }

  word(text: string, kind: WordKind): string {
    if (this.#options.keepsIds) return text;
    const map = kind === "user" ? this.#users : this.#words;
    const known = map.get(text);
    if (known !== undefined) return known.name;
    const isOwn = ownWord.test(text) && this.#isFree(text);
    return this.#add(map, text, { name: isOwn ? text : this.#free(kind), kind });
  }

  secret(text: string, kind: SecretKind): string {
    const known = this.#secrets.get(text);
    if (known !== undefined) return known.name;
    const earlier = this.#digests.size === 0 ? undefined : this.#digests.get(digestOf(text));
    const isOwn = ownSecret.test(text) && this.#isFree(text);
    return this.#add(this.#secrets, text, earlier ?? { name: isOwn ? text : this.#free(kind), kind });
  }

  knownToken(text: string): string | undefined {
    return this.#secrets.size === 0 ? undefined : this.#secrets.get(text)?.name;
  }

  user(id: string): string {
    if (this.#options.renamesUsers && id !== "participant_admin") return this.word(id, "user");
    if (!this.#users.has(id)) this.#add(this.#users, id, { name: id, kind: "user" });
    return id;
  }

  isKeptUser(id: string): boolean {
    return this.#users.get(id)?.name === id;
  }

  inProse(word: string): string | undefined {
    if (this.#options.keepsIds || word.length < proseHintLengthMin) return undefined;
    const named = this.#users.get(word) ?? this.#hints.get(word) ?? this.#words.get(word);
    return named?.name;
  }

  offset(value: bigint): bigint {
    if (this.#options.keepsIds || value <= 0n || value > offsetMax) return value;
    this.#shift ??= isShiftedOffset(value) ? 0n : firstOffset - value;
    return value + this.#shift;
  }

  /** Number of renamed originals by kind, dropped ones included. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** All stored pseudonyms except those of signatures. */
  list(): readonly NamedOriginal[] {
    const named: NamedOriginal[] = [];
    for (const map of [this.#hex, this.#hints, this.#words, this.#users, this.#digests])
      for (const [original, { name, kind }] of map)
        if (kind !== "signature" && original !== name) named.push({ kind, original, name });
    for (const [secret, { name, kind }] of this.#secrets) {
      const original = digestOf(secret);
      if (secret !== name && !this.#digests.has(original)) named.push({ kind, original, name });
    }
    if (this.#shift !== undefined) named.push({ kind: "offset", original: "0", name: String(this.#shift) });
    return named;
  }

  /** Whether a text of the form of a pseudonym is unused, or from an earlier recording. */
  #isFree(name: string): boolean {
    return !this.#taken.has(name) || this.#earlier.has(name);
  }

  #mapOf(kind: NameKind, original: string): Map<string, Pseudonym> {
    if (isSecretKind(kind)) return original.startsWith(digestPrefix) ? this.#digests : this.#secrets;
    if (isHintKind(kind)) return this.#hints;
    if (kind === "user") return this.#users;
    return kind === "correlation" ? this.#words : this.#hex;
  }

  #free(kind: string, nameOf: (number: number) => string = (number) => wordName(kind, number)): string {
    for (;;) {
      const number = (this.#numbers.get(kind) ?? 0) + 1;
      this.#numbers.set(kind, number);
      const name = nameOf(number);
      if (!this.#taken.has(name)) return name;
    }
  }

  #add(map: Map<string, Pseudonym>, original: string, named: Pseudonym): string {
    if (passing.has(named.kind)) this.#forgetOldest(map, original);
    else this.#reserve(original.length + named.name.length);
    map.set(original, named);
    this.#taken.add(named.name);
    if (original !== named.name && named.kind !== "contract-suffix")
      this.#counts.set(named.kind, (this.#counts.get(named.kind) ?? 0) + 1);
    return named.name;
  }

  #reserve(bytes: number): void {
    const max = Math.min(this.#options.namesMax, namesMax);
    if (this.#lastingCount >= max) throw new NamesExhausted(`it holds ${max} names`);
    if (this.#lastingBytes + bytes > namesBytesMax) throw new NamesExhausted(`it holds ${namesBytesMax} bytes`);
    this.#lastingCount += 1;
    this.#lastingBytes += bytes + entryBytes;
  }

  #forgetOldest(map: Map<string, Pseudonym>, original: string): void {
    this.#passing.push({ map, original });
    if (this.#passing.length - this.#passingFrom <= passingNamesMax) return;
    const oldest = this.#passing[this.#passingFrom];
    if (oldest !== undefined) {
      const name = oldest.map.get(oldest.original)?.name;
      oldest.map.delete(oldest.original);
      if (name !== undefined) this.#taken.delete(name);
    }
    this.#passingFrom += 1;
    if (this.#passingFrom < passingNamesMax) return;
    this.#passing = this.#passing.slice(this.#passingFrom);
    this.#passingFrom = 0;
  }
}

const digestPrefix = "sha256:";

function digestOf(text: string): string {
  return text.startsWith(digestPrefix) ? text : `${digestPrefix}${bytesToHex(sha256(utf8ToBytes(text)))}`;
}

function wordName(kind: string, number: number): string {
  return kind === "user" ? `renamed-user-${number}` : `${kind}-${number}`;
}

function isNormalFingerprint(text: string): boolean {
  return /^1220[0-9a-f]{64}$/.test(text);
}

/** Whether the text is the pseudonym of a fingerprint that is too long, padded with zeros. */
function isLongOwnFingerprint(text: string): boolean {
  return /^1220[0-9a-f]{64}0+$/.test(text) && isHexName(text.slice(4, 4 + normalFingerprintDigits));
}

/** Whether redaction shifted an offset to this number. */
export function isShiftedOffset(value: bigint): boolean {
  return value > firstOffset / 2n && value <= offsetMax;
}
