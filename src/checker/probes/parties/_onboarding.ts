import { ed25519 } from "@noble/curves/ed25519.js";
import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { topologyTransactionHash } from "../../../foundation/protobuf/fingerprint.ts";
import { base64OfBytes, bytesOfBase64 } from "../../../foundation/text/base64.ts";
import type { ProbeCall, ProbeContext, ProbeResponse } from "../../probing/probe.ts";
import { isUndecided } from "../_users.ts";

/** A party with its unsigned onboarding transactions. */
interface Topology {
  readonly partyId: string;
  readonly transactions: readonly string[];
  /** The members of an allocation with one signature over all transactions. */
  signedTogether(): JsonObject;
  /** The members of an allocation with a signature per transaction. */
  signedEach(): JsonObject;
}

/** Asks the node to generate the topology of a party with the probe's key. */
export async function generateTopology(context: ProbeContext, name: string): Promise<Topology> {
  const secret = context.seededBytes(`key/${name}`);
  const operationId = "postV2PartiesExternalGenerate-topology";
  if (!context.knows(operationId)) context.end("the release has no operation that generates the topology of a party");
  const response = await context.send({
    operationId,
    body: {
      synchronizer: context.need("synchronizer"),
      partyHint: `${context.prefix}-${name}`,
      publicKey: {
        format: "CRYPTO_KEY_FORMAT_RAW",
        keyData: base64OfBytes(ed25519.getPublicKey(secret)),
        keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
      },
      localParticipantObservationOnly: false,
      otherConfirmingParticipantUids: [],
      confirmationThreshold: 1,
      observingParticipantUids: [],
    },
  });
  return (
    topologyIn(response, secret) ??
    context.end(`the target did not generate the topology of a party (status ${response.status})`)
  );
}

function topologyIn({ status, json }: ProbeResponse, secret: Uint8Array): Topology | undefined {
  if (status !== 200 || !isJsonObject(json)) return undefined;
  const [partyId, signedBy, multiHash] = [json["partyId"], json["publicKeyFingerprint"], bytesIn(json["multiHash"])];
  const list = Array.isArray(json["topologyTransactions"]) ? json["topologyTransactions"] : [];
  const transactions = list.filter((entry: Json) => typeof entry === "string");
  if (typeof partyId !== "string" || typeof signedBy !== "string" || multiHash === undefined) return undefined;
  const signature = (hash: Uint8Array) => ({
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: base64OfBytes(ed25519.sign(hash, secret)),
    signedBy,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  });
  return {
    partyId,
    transactions,
    signedTogether: () => ({
      onboardingTransactions: transactions.map((transaction) => ({ transaction, signatures: [] })),
      multiHashSignatures: [signature(multiHash)],
    }),
    signedEach: () => ({
      onboardingTransactions: transactions.map((transaction) => ({
        transaction,
        signatures: [signature(topologyTransactionHash(bytesIn(transaction) ?? new Uint8Array()))],
      })),
      multiHashSignatures: [],
    }),
  };
}

function bytesIn(value: Json | undefined): Uint8Array | undefined {
  return typeof value === "string" ? bytesOfBase64(value) : undefined;
}

/** An allocation, with the party that it creates. */
interface AllocationCall extends ProbeCall {
  readonly partyId: string;
}

/** The call that allocates a party, with these members of its body. */
export function allocation(context: ProbeContext, { partyId }: Topology, more: JsonObject): AllocationCall {
  const body = { synchronizer: context.need("synchronizer"), ...more };
  return { operationId: "postV2PartiesExternalAllocate", body, partyId };
}

/** Allocates a party and records it as created on success. */
export async function allocate(context: ProbeContext, { partyId, ...call }: AllocationCall): Promise<ProbeResponse> {
  const response = await context.send(call);
  if (response.status === 200) context.created("party", partyId);
  else if (isUndecided(response.status)) context.created("party, perhaps", partyId);
  return response;
}
