import { bytesToHex } from "@noble/hashes/utils.js";
import { textOf } from "../../../foundation/json/members.ts";
import { fingerprintOf, topologyTransactionHash } from "../../../foundation/protobuf/fingerprint.ts";
import { encodeOnboarding } from "../../../foundation/protobuf/topology-transaction.ts";
import { bytesOfBase64 } from "../../../foundation/text/base64.ts";
import type { Operation } from "../operation.ts";
import { partyRefusal, responseWith } from "../splice-contracts.ts";
import { bytesOfHex, notHex } from "./_hex.ts";
import { isOperator } from "./_operator-call.ts";

const rawFormat = 3;
const curve25519 = 1;

/** `POST …/external-party/topology/generate`: three transactions with their hashes (Splice 0.6, validator-internal.yaml). */
export const generateOnboardingTopology: Operation = {
  operationId: "postValidatorTopologyGenerate",
  mayCall: isOperator,
  perform({ body }, { ledger }) {
    const bytes = bytesOfHex(textOf(body["public_key"]));
    if (bytes === undefined) return notHex("public_key");
    const party = `${textOf(body["party_hint"])}::${fingerprintOf(bytes)}`;
    const refusal = partyRefusal(party);
    if (refusal !== undefined) return refusal;
    const transactions = encodeOnboarding(party, ledger.participantId, { format: rawFormat, bytes, spec: curve25519 });
    return responseWith({
      party_id: party,
      topology_txs: transactions.map((transaction) => ({
        topology_tx: transaction,
        hash: bytesToHex(topologyTransactionHash(bytesOfBase64(transaction) ?? new Uint8Array())),
      })),
    });
  },
};
