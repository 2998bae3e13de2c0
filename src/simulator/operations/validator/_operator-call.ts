import type { JsonObject } from "../../../foundation/json/json.ts";
import { fingerprintOf } from "../../../foundation/protobuf/fingerprint.ts";
import { base64OfBytes } from "../../../foundation/text/base64.ts";
import { operatorOf } from "../../ledger/operator.ts";
import type { Call, WorldView } from "../operation.ts";

/** Whether the caller is the user of the operator, who alone may administer the validator (Splice 0.6, validator-internal.yaml). */
export function isOperator({ caller }: Call, { ledger }: WorldView): boolean {
  return caller.type === "everyone" || (caller.type === "user" && caller.userId === operatorOf(ledger)?.userId);
}

/** A call of a ledger operation that the validator makes with all rights; every release reads all its members. */
export function callOfLedger(call: Call, body: JsonObject): Call {
  const release = { ...call.release, hasAllocationForUsers: true };
  return { ...call, body, release, caller: { type: "everyone", userId: undefined } };
}

/** The signature of an Ed25519 key, as the ledger reads it. */
export function signatureOf(signature: Uint8Array, key: Uint8Array): JsonObject {
  return {
    format: "SIGNATURE_FORMAT_RAW",
    signature: base64OfBytes(signature),
    signedBy: fingerprintOf(key),
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
}
