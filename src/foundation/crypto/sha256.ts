import { sha256 as portable } from "@noble/hashes/sha2.js";

/** `node:crypto` where there is one; a page has none. */
const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");

/** The SHA-256 of bytes. For 5 MB Node's own code takes 4 ms instead of 31 to 35. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return node === undefined ? portable(bytes) : node.hash("sha256", bytes, "buffer");
}
