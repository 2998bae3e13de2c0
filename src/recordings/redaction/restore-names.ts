import { isFramedKey, keyDigits } from "./generated-keys.ts";
import { type NamedOriginal, offsetMax } from "./pseudonyms.ts";
import type { HintKind, Renaming } from "./renaming.ts";

/** Maps pseudonyms back to originals. Secrets and signatures stay, since their originals are not stored. */
export class NameRestorer implements Renaming {
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
