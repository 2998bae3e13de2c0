import { sha256 as portable } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { bytesOfLatin } from "../text/base64.ts";

/** The SHA-256 of bytes. For 5 MB Node's own code takes 4 ms instead of 31 to 35. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const node = nodeCrypto();
  // Node makes a text of the hash in a third of the time that it takes to make a buffer.
  return node === undefined ? portable(bytes) : bytesOfLatin(node.hash("sha256", bytes, "binary"));
}

/** The SHA-256 of a text in UTF-8, as hex. For 300 characters it takes a third of the time of `sha256` with both conversions. */
export function sha256OfText(text: string): string {
  const node = nodeCrypto();
  return node === undefined ? bytesToHex(portable(utf8ToBytes(text))) : node.hash("sha256", text);
}

/** `node:crypto` where there is one; a page has none. A start without a hash does not load it. */
function nodeCrypto(): typeof import("node:crypto") | undefined {
  return typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");
}
