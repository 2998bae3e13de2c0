import type { JsonObject } from "../../../foundation/json/json.ts";
import { textOf } from "../../../foundation/json/members.ts";
import { fingerprintOf, topologyMultiHash, topologyTransactionHash } from "../../../foundation/protobuf/fingerprint.ts";
import type { PublicKey } from "../../../foundation/protobuf/topology-transaction.ts";
import type { SigningKey } from "../../ledger/ledger-state.ts";
import { isSignedBy } from "../_signature.ts";
import type { Onboarding, SignedTopologyTransaction } from "./_onboarding.ts";

const specs = ["curve25519", "curve25519", "p256", "p384", "secp256k1"] as const;

/** The key in the ledger state. The default curve applies if the key does not name one. */
export function signingKeyOf({ bytes, spec }: PublicKey): SigningKey {
  return { fingerprint: fingerprintOf(bytes), spec: specs[spec] ?? "curve25519", publicKey: bytes };
}

/** The hash for one signature over several transactions. */
export function multiHashOf(transactions: readonly SignedTopologyTransaction[]): Uint8Array {
  return topologyMultiHash(transactions.map(({ bytes }) => topologyTransactionHash(bytes)));
}

/** Most signatures that are verified for one request; verifying takes milliseconds each. */
export const signaturesMax = 100;

/** The number of signatures of the transactions; those of all transactions together count once. */
export function signatureCount([first, ...others]: readonly SignedTopologyTransaction[]): number {
  if (first === undefined) return 0;
  return others.reduce((count, { own }) => count + own.length, first.own.length + first.common.length);
}

/** Whether every signature of the transactions is valid, for keys that are in the transactions. */
export function areSignaturesValid(all: readonly SignedTopologyTransaction[], { keys }: Onboarding): boolean {
  const delegated = all.flatMap(({ transaction: { mapping } }) =>
    mapping.type === "namespace-delegation" ? [mapping.targetKey] : [],
  );
  // Of several keys with one fingerprint the first counts, and is set last.
  const known = new Map(
    [...keys, ...delegated]
      .map(signingKeyOf)
      .map((key) => [key.fingerprint, key] as const)
      .reverse(),
  );
  const isValid = (signature: JsonObject, message: Uint8Array) => {
    const key = known.get(textOf(signature["signedBy"]));
    return key !== undefined && isSignedBy(signature, key, message);
  };
  const areValid = (signatures: readonly JsonObject[], messageOf: () => Uint8Array) => {
    if (signatures.length === 0) return true;
    const message = messageOf();
    return signatures.every((signature) => isValid(signature, message));
  };
  return (
    areValid(all[0]?.common ?? [], () => multiHashOf(all)) &&
    all.every(({ own, bytes }) => areValid(own, () => topologyTransactionHash(bytes)))
  );
}
