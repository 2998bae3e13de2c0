import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { base64OfBytes, bytesOfBase64 } from "../../foundation/text/base64.ts";
import type { Renaming } from "./renaming.ts";

/** Shorter signatures are replaced with zeros. */
const signatureBytesMin = 16;

/** A placeholder of the same form and length; an invalid signature stays invalid. */
export function placeholderSignature(signature: string, renaming: Renaming): string {
  if (signature.length >= 2 * signatureBytesMin && signature.length % 2 === 0 && /^[0-9a-f]+$/.test(signature))
    return renaming.hex(signature, "signature");
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(signature) ? bytesOfBase64(signature) : undefined;
  if (bytes === undefined) return signature.replaceAll(/[A-Za-z0-9]/g, "A");
  const replacement =
    bytes.length < signatureBytesMin
      ? new Uint8Array(bytes.length)
      : hexToBytes(renaming.hex(bytesToHex(bytes), "signature"));
  return base64OfBytes(replacement).slice(0, signature.length);
}
