import { hexToBytes } from "@noble/hashes/utils.js";
import { fingerprintOf } from "../../foundation/protobuf/fingerprint.ts";
import { hexName } from "./generated-name.ts";

// The pseudonym of a fingerprint is the fingerprint of a generated key. A key that occurs later than its fingerprint gets
// this generated key, so that both remain key and hash.

/** Number of digits of a generated key, and of an Ed25519 key. */
export const keyDigits = 64;

/** Keys that are generated at a time when a fingerprint is not known. */
const keysAtOnce = 100;

/** The numbers of generated keys by their fingerprints. Keys of 32 bytes and fingerprints, without their prefix 1220, are in hex digits. */
export class GeneratedKeys {
  readonly #numbers = new Map<string, number>();
  readonly #fingerprints: string[] = [];
  readonly #aheadMax: number;
  #used = 0;

  /** `aheadMax` fingerprints beyond the last one in use are recognized: a recording may be a part of a longer one. */
  constructor(aheadMax = 100) {
    this.#aheadMax = aheadMax;
  }

  /** The fingerprint of the nth key, counted from 1. */
  fingerprint(number: number): string {
    this.#used = Math.max(this.#used, number);
    this.#generate(number);
    return this.#fingerprints[number - 1] ?? "";
  }

  /** The generated key with this fingerprint, which is in use from now on; undefined for an original. */
  keyOf(fingerprint: string): string | undefined {
    for (;;) {
      const number = this.#numbers.get(fingerprint);
      const count = this.#fingerprints.length;
      const countMax = this.#used + this.#aheadMax;
      if (number !== undefined) this.#used = Math.max(this.#used, number);
      if (number !== undefined) return keyWithNumber(number);
      if (count >= countMax) return undefined;
      this.#generate(Math.min(count + keysAtOnce, countMax));
    }
  }

  #generate(count: number): void {
    for (let number = this.#fingerprints.length + 1; number <= count; number += 1) {
      const fingerprint = fingerprintDigits(keyWithNumber(number));
      this.#numbers.set(fingerprint, number);
      this.#fingerprints.push(fingerprint);
    }
  }
}

function keyWithNumber(number: number): string {
  return hexName("fingerprint", number, keyDigits);
}

/** The fingerprint of a key, both in hex digits. */
export function fingerprintDigits(key: string): string {
  return fingerprintOf(hexToBytes(key)).slice(prefix.length);
}

const prefix = "1220";

/** The DER prefix of an Ed25519 public key (RFC 8410). */
export const ed25519Frame = "302a300506032b6570032100";

/** Whether hex digits are an Ed25519 public key in the DER form. */
export function isFramedKey(digits: string): boolean {
  return digits.startsWith(ed25519Frame) && digits.length === ed25519Frame.length + keyDigits;
}
