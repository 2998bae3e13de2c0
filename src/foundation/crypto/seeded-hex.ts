import { sha256OfText } from "./sha256.ts";

/** Hex digits that depend on seed, purpose and counter alone; at most 64. */
export function seededHex(seed: number | string, purpose: string, counter: number | bigint, length: number): string {
  return sha256OfText(`${seed}/${purpose}/${counter}`).slice(0, length);
}
