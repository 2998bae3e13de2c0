import { hexToBytes } from "@noble/hashes/utils.js";
import { type Refusal, registryError } from "../refusal.ts";

/** The bytes of hexadecimal digits; undefined for another text. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? hexToBytes(text) : undefined;
}

/** The refusal of a member that is not hexadecimal, in the words of the stub. */
export function notHex(member: string): Refusal {
  return registryError(400, `Failed to decode the hex-encoded ${member}`);
}
