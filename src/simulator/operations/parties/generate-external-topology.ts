import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import { fingerprintOf, topologyMultiHash, topologyTransactionHash } from "../../../foundation/protobuf/fingerprint.ts";
import {
  encodePartyToParticipant,
  type GivenKey,
  type PartyHosting,
} from "../../../foundation/protobuf/topology-transaction.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { base64OfBytes, bytesOfBase64 } from "../../../foundation/text/base64.ts";
import type { LedgerState } from "../../ledger/ledger-state.ts";
import { synchronizerProblem, uniqueIdentifierProblem } from "../_identifier-problem.ts";
import { integerOf } from "../_json-members.ts";
import { connectedSynchronizer } from "../_synchronizer.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument, invalidField, missingField, type Refusal } from "../refusal.ts";

/** `POST /v2/parties/external/generate-topology`: one transaction that hosts the party and names its key (Canton 3.5, openapi.yaml). */
export const generateExternalTopology: Operation = {
  operationId: "postV2PartiesExternalGenerate-topology",
  perform: generate,
};

const keyFormats: Readonly<Record<string, number>> = {
  CRYPTO_KEY_FORMAT_DER: 2,
  CRYPTO_KEY_FORMAT_RAW: 3,
  CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO: 4,
};

const keySpecs: Readonly<Record<string, number>> = {
  SIGNING_KEY_SPEC_EC_CURVE25519: 1,
  SIGNING_KEY_SPEC_EC_P256: 2,
  SIGNING_KEY_SPEC_EC_P384: 3,
  SIGNING_KEY_SPEC_EC_SECP256K1: 4,
};

function generate({ body }: Call, { ledger }: WorldView): OperationResult {
  const unfit = checkSynchronizer(textOf(body["synchronizer"]), ledger);
  if (unfit !== undefined) return unfit;
  const hint = textOf(body["partyHint"]);
  if (hint === "") return missingField("party_hint");
  const key = keyFrom(objectOf(body["publicKey"]));
  if (key === undefined) return invalidField("public_key", "format, specification or data of the key is not usable");
  const fingerprint = fingerprintOf(key.bytes);
  const partyId = `${hint}::${fingerprint}`;
  const misnamed = uniqueIdentifierProblem(partyId);
  if (misnamed !== undefined) return invalidField("party_hint", misnamed);
  const hosting = hostingOf(partyId, body, ledger.participantId);
  if (typeof hosting === "string") return invalidArgument(hosting);
  const transaction = encodePartyToParticipant(hosting, key);
  const hash = topologyMultiHash([topologyTransactionHash(bytesOfBase64(transaction) ?? new Uint8Array())]);
  return {
    type: "succeeded",
    body: {
      partyId,
      publicKeyFingerprint: fingerprint,
      topologyTransactions: [transaction],
      multiHash: base64OfBytes(hash),
    },
    changes: [],
  };
}

function checkSynchronizer(requested: string, ledger: LedgerState): Refusal | undefined {
  if (requested === "") return missingField("synchronizer");
  const misnamed = synchronizerProblem(requested);
  if (misnamed !== undefined) return invalidField("synchronizer", misnamed);
  return connectedSynchronizer(requested, ledger) === undefined
    ? invalidArgument(`This node is not connected to the synchronizer ${requested}`)
    : undefined;
}

function keyFrom(given: JsonObject): GivenKey | undefined {
  const [format, spec] = [keyFormats[textOf(given["format"])], keySpecs[textOf(given["keySpec"])]];
  const bytes = bytesOfBase64(textOf(given["keyData"]));
  return format === undefined || spec === undefined || bytes === undefined || bytes.length === 0
    ? undefined
    : { bytes, format, spec };
}

/** The hosting of the party, or the problem. This node confirms unless it only observes. */
function hostingOf(
  party: string,
  body: JsonObject,
  participantId: string,
): Omit<PartyHosting, "keys" | "keyThreshold"> | string {
  const confirming = textsOf(body["otherConfirmingParticipantUids"]);
  const observing = textsOf(body["observingParticipantUids"]);
  const isObserving = body["localParticipantObservationOnly"] === true;
  const participants = [
    { id: participantId, permission: isObserving ? "observation" : "confirmation" } as const,
    ...confirming.map((id) => ({ id, permission: "confirmation" }) as const),
    ...observing.map((id) => ({ id, permission: "observation" }) as const),
  ];
  const ids = participants.map(({ id }) => id);
  const misnamed = ids.find((id) => !isIdentifier("participantId", id));
  if (misnamed !== undefined) return `${JSON.stringify(misnamed)} is not a participant`;
  if (new Set(ids).size !== ids.length) return "A participant is named twice";
  const count = participants.filter(({ permission }) => permission === "confirmation").length;
  const threshold = Number(integerOf(body["confirmationThreshold"]) ?? 0n) || count;
  if (threshold < 1 || threshold > count)
    return `A threshold of ${threshold} does not fit ${count} confirming participants`;
  return { party, threshold, participants };
}
