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

/** Whether every signature of a transaction is valid, for keys that are in the transactions. */
export function areSignaturesValid(
  { bytes, own, common }: SignedTopologyTransaction,
  all: readonly SignedTopologyTransaction[],
  { keys }: Onboarding,
): boolean {
  const delegated = all.flatMap(({ transaction: { mapping } }) =>
    mapping.type === "namespace-delegation" ? [mapping.targetKey] : [],
  );
  const known = [...keys, ...delegated].map(signingKeyOf);
  const [hash, together] = [topologyTransactionHash(bytes), multiHashOf(all)];
  const isValid = (signature: (typeof own)[number], message: Uint8Array) => {
    const key = known.find(({ fingerprint }) => fingerprint === textOf(signature["signedBy"]));
    return key !== undefined && isSignedBy(signature, key, message);
  };
  return (
    own.every((signature) => isValid(signature, hash)) && common.every((signature) => isValid(signature, together))
  );
}
