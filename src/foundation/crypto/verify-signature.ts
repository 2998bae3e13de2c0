import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384 } from "@noble/curves/nist.js";

/** How a signature is written: as the scheme has it, in DER, or as two numbers one after the other. */
export type SignatureFormat = "raw" | "der" | "concat";
export type SigningAlgorithm = "ed25519" | "ecdsa-sha256" | "ecdsa-sha384";

export interface SignatureToVerify {
  readonly algorithm: SigningAlgorithm;
  readonly format: SignatureFormat;
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  /** Raw, or in the DER form of a subject public key info. */
  readonly publicKey: Uint8Array;
}

/** Whether the key made the signature over the message. What cannot be read is no signature. */
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
        return p256.verify(signature, message, point(requested.publicKey, 65), ecdsaOptions(requested.format));
      case "ecdsa-sha384":
        return p384.verify(signature, message, point(requested.publicKey, 97), ecdsaOptions(requested.format));
    }
  } catch {
    return false;
  }
}

const ed25519KeyLength = 32;

/** Nodes do not ask for the smaller of the two numbers that both verify. */
function ecdsaOptions(format: SignatureFormat) {
  return { lowS: false, format: format === "der" ? "der" : "compact" } as const;
}

/** The key at the end of its DER form, which has the bare key as its last part. */
function bareKey(key: Uint8Array, length: number): Uint8Array {
  return key.length > length ? key.subarray(key.length - length) : key;
}

/** An uncompressed point ends a DER form; a compressed one stands alone. */
function point(key: Uint8Array, length: number): Uint8Array {
  return key[0] === derSequence ? bareKey(key, length) : key;
}

const derSequence = 0x30;
