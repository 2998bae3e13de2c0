import { p256, p384 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { JsonObject } from "../json/json.ts";
import { urlBase64OfBytes } from "../text/base64.ts";
import { bareKey, ed25519KeyLength, pointOf } from "./verify-signature.ts";

type EllipticSpec = "p256" | "p384" | "secp256k1";
interface Curve {
  readonly crv: string;
  /** A function, since the library of a curve loads at its first use. */
  readonly curve: () => typeof p256;
  /** Bytes of a point that is not compressed. */
  readonly length: number;
}

const curves: Readonly<Record<EllipticSpec, Curve>> = {
  p256: { crv: "P-256", curve: () => p256, length: 65 },
  p384: { crv: "P-384", curve: () => p384, length: 97 },
  secp256k1: { crv: "secp256k1", curve: () => secp256k1, length: 65 },
};

/** The JSON Web Key (RFC 7517, RFC 8037) of a public key, which is raw or in DER form; undefined if it is not on its curve. */
export function jwkOf(spec: "curve25519" | EllipticSpec, publicKey: Uint8Array, kid: string): JsonObject | undefined {
  if (spec === "curve25519") {
    if (publicKey.length < ed25519KeyLength) return undefined;
    const x = urlBase64OfBytes(bareKey(publicKey, ed25519KeyLength));
    return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig" };
  }
  const { crv, curve, length } = curves[spec];
  const point = uncompressed(curve(), pointOf(publicKey, length));
  if (point === undefined) return undefined;
  const middle = (point.length + 1) / 2;
  const [x, y] = [urlBase64OfBytes(point.subarray(1, middle)), urlBase64OfBytes(point.subarray(middle))];
  return { kty: "EC", crv, x, y, kid, use: "sig" };
}

function uncompressed(curve: typeof p256, point: Uint8Array): Uint8Array | undefined {
  try {
    return curve.Point.fromBytes(point).toBytes(false);
  } catch {
    return undefined;
  }
}
