import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Hex digits that depend on seed, purpose and counter alone; at most 64. */
export function seededHex(seed: number | string, purpose: string, counter: number | bigint, length: number): string {
  return bytesToHex(sha256(utf8ToBytes(`${seed}/${purpose}/${counter}`))).slice(0, length);
}
