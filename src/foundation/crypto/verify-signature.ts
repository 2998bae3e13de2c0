import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384 } from "@noble/curves/nist.js";

/** The encoding of a signature: raw, DER, or two concatenated numbers. */
export type SignatureFormat = "raw" | "der" | "concat";
export type SigningAlgorithm = "ed25519" | "ecdsa-sha256" | "ecdsa-sha384";

interface SignatureToVerify {
  readonly algorithm: SigningAlgorithm;
  readonly format: SignatureFormat;
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  /** Raw, or in the DER form of a subject public key info. */
  readonly publicKey: Uint8Array;
}

/** Whether the signature is valid for key and message. An unreadable signature is invalid. */
export function isSignatureValid(requested: SignatureToVerify): boolean {
  const { algorithm, signature, message } = requested;
  try {
    switch (algorithm) {
      case "ed25519":
        return (
          requested.format !== "der" &&
          ed25519.verify(signature, message, bareKey(requested.publicKey, ed25519KeyLength))
        );
      case "ecdsa-sha256":
        return p256.verify(signature, message, pointOf(requested.publicKey, 65), ecdsaOptions(requested.format));
      case "ecdsa-sha384":
        return p384.verify(signature, message, pointOf(requested.publicKey, 97), ecdsaOptions(requested.format));
    }
  } catch {
    return false;
  }
}

export const ed25519KeyLength = 32;

/** Nodes accept both the low and the high S value. */
function ecdsaOptions(format: SignatureFormat) {
  return { lowS: false, format: format === "der" ? "der" : "compact" } as const;
}

/** The bare key: the last bytes of the DER form. */
export function bareKey(key: Uint8Array, length: number): Uint8Array {
  return key.length > length ? key.subarray(key.length - length) : key;
}

/** The point of a key: the last bytes of a DER form, or a compressed point as it is. */
export function pointOf(key: Uint8Array, length: number): Uint8Array {
  return key[0] === derSequence ? bareKey(key, length) : key;
}

const derSequence = 0x30;
