import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { joined } from "./_joined.ts";

// Hashes are SHA-256 over a purpose (four bytes, big-endian) and the data, written with the multihash prefix 1220.

const publicKeyPurpose = 12;
const decentralizedNamespacePurpose = 37;
const topologyTransactionPurpose = 11;
const multiTransactionPurpose = 55;

/** The fingerprint of a public key; it is the namespace of the owner. */
export function fingerprintOf(publicKey: Uint8Array): string {
  return multihash(publicKeyPurpose, publicKey);
}

/** The decentralized namespace of several owners: a hash of their fingerprints in order, each with its length. */
export function decentralizedNamespaceOf(owners: readonly string[]): string {
  const parts = [...owners].sort().map(utf8ToBytes);
  return multihash(decentralizedNamespacePurpose, joined(parts.flatMap((part) => [fourBytes(part.length), part])));
}

/** The hash of a serialized topology transaction, with the multihash prefix: 34 bytes. */
export function topologyTransactionHash(transaction: Uint8Array): Uint8Array {
  return hexToBytes(multihash(topologyTransactionPurpose, transaction));
}

/** The hash that one signature over several topology transactions signs; independent of their order. */
export function topologyMultiHash(hashes: readonly Uint8Array[]): Uint8Array {
  const sorted = [...hashes].sort((left, right) => (bytesToHex(left) < bytesToHex(right) ? -1 : 1));
  const parts = sorted.flatMap((hash) => [fourBytes(hash.length), hash]);
  return hexToBytes(multihash(multiTransactionPurpose, joined([fourBytes(sorted.length), ...parts])));
}

function multihash(purpose: number, data: Uint8Array): string {
  return `1220${bytesToHex(sha256(concatBytes(fourBytes(purpose), data)))}`;
}

function fourBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
