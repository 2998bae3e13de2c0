import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256 } from "../../foundation/crypto/sha256.ts";

/** Bytes of the hash that are kept: enough to tell texts apart. */
const digestBytes = 12;

/** A digest of a text, shorter than the texts that rules compare. */
export function digestOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, digestBytes));
}
