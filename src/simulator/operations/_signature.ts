import {
  isSignatureValid,
  type SignatureFormat,
  type SigningAlgorithm,
} from "../../foundation/crypto/verify-signature.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { textOf } from "../../foundation/json/members.ts";
import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import type { SigningKey } from "../ledger/ledger-state.ts";

const formats: Readonly<Record<string, SignatureFormat>> = {
  SIGNATURE_FORMAT_RAW: "raw",
  SIGNATURE_FORMAT_DER: "der",
  SIGNATURE_FORMAT_CONCAT: "concat",
};

const algorithms: Readonly<Record<string, SigningAlgorithm>> = {
  SIGNING_ALGORITHM_SPEC_ED25519: "ed25519",
  SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256: "ecdsa-sha256",
  SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384: "ecdsa-sha384",
};

const algorithmOfKey: Readonly<Record<SigningKey["spec"], SigningAlgorithm | undefined>> = {
  curve25519: "ed25519",
  p256: "ecdsa-sha256",
  p384: "ecdsa-sha384",
  secp256k1: undefined,
};

/** Whether a signature of a request is valid for this key and message (Canton 3.5, JsInteractiveSubmissionService.scala). */
export function isSignedBy(signature: JsonObject, key: SigningKey, message: Uint8Array): boolean {
  const format = formats[textOf(signature["format"])];
  const algorithm = algorithms[textOf(signature["signingAlgorithmSpec"])];
  if (textOf(signature["signedBy"]) !== key.fingerprint || algorithm !== algorithmOfKey[key.spec]) return false;
  const bytes = bytesOfBase64(textOf(signature["signature"]));
  if (format === undefined || algorithm === undefined || bytes === undefined) return false;
  return isSignatureValid({ algorithm, format, signature: bytes, message, publicKey: key.publicKey });
}
