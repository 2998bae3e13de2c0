import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

// Hashes are SHA-256 over a purpose (four bytes, big-endian) and the data, written with the multihash prefix 1220.

const publicKeyPurpose = 12;
const decentralizedNamespacePurpose = 37;

/** The fingerprint of a public key: the namespace of whoever holds it. */
export function fingerprintOf(publicKey: Uint8Array): string {
  return multihash(publicKeyPurpose, publicKey);
}

/** The namespace that owners form together: their fingerprints in order, each with its length. */
export function decentralizedNamespaceOf(owners: readonly string[]): string {
  const parts = [...owners].sort().map(utf8ToBytes);
  return multihash(
    decentralizedNamespacePurpose,
    concatBytes(...parts.flatMap((part) => [fourBytes(part.length), part])),
  );
}

function multihash(purpose: number, data: Uint8Array): string {
  return `1220${bytesToHex(sha256(concatBytes(fourBytes(purpose), data)))}`;
}

function fourBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
