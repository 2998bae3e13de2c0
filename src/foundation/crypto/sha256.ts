import { sha256 as portable } from "@noble/hashes/sha2.js";

/** `node:crypto` where there is one; a page has none. */
const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");

/** The SHA-256 of bytes. Node's own code takes a tenth of the time for megabytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return node === undefined ? portable(bytes) : node.hash("sha256", bytes, "buffer");
}
