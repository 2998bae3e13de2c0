import { ed25519 } from "@noble/curves/ed25519.js";
import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { topologyTransactionHash } from "../../../foundation/protobuf/fingerprint.ts";
import { base64OfBytes, bytesOfBase64 } from "../../../foundation/text/base64.ts";
import type { ProbeContext, ProbeResponse } from "../../probing/probe.ts";
import { isUndecided } from "../_users.ts";

/** A party that the node described and nobody has signed yet. */
export interface Topology {
  readonly partyId: string;
  readonly transactions: readonly string[];
  /** The body's members that are signed by one signature over all transactions. */
  signedTogether(): JsonObject;
  /** The same, with a signature on each transaction. */
  signedEach(): JsonObject;
}

/** Lets the node write the topology of a party whose key is the probe's. */
export async function generateTopology(context: ProbeContext, name: string): Promise<Topology> {
  const secret = context.seededBytes(`key/${name}`);
  const operationId = "postV2PartiesExternalGenerate-topology";
  if (!context.knows(operationId)) context.end("the release generates no topology of parties");
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
    topologyIn(response, secret) ?? context.end(`the target generated no topology of a party (${response.status})`)
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

/** Allocates, and notes the party where there is one now. */
export async function allocate(context: ProbeContext, { partyId }: Topology, more: JsonObject): Promise<ProbeResponse> {
  const response = await context.send({
    operationId: "postV2PartiesExternalAllocate",
    body: { synchronizer: context.need("synchronizer"), identityProviderId: "", ...more },
  });
  if (response.status === 200) context.created("party", partyId);
  else if (isUndecided(response.status)) context.created("party, perhaps", partyId);
  return response;
}
