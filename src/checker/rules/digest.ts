import { sha256OfText } from "../../foundation/crypto/sha256.ts";

/** Characters of the hash that are kept: enough to tell texts apart. */
const digestLength = 24;

/** A digest of a text, shorter than the texts that rules compare. */
export function digestOf(text: string): string {
  return sha256OfText(text).slice(0, digestLength);
}
