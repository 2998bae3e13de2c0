import { secretRoleOf } from "../../foundation/secrets/secret-name.ts";
import type { HexKind, HintKind } from "./renaming.ts";

/** The role of a value, derived from the name of its member. */
type Role =
  | "signature"
  | "private"
  | "token"
  | "secret"
  | "hash"
  | "key"
  | "protobuf"
  | "page"
  | "party-hint"
  | "synchronizer-hint"
  | "participant-hint"
  | "fingerprint"
  | "contract"
  | "correlation"
  | "user"
  | "offset"
  | "prose"
  | "other";

/** The context of a text: its role, and the kinds of the ids in it. */
export interface TextPlace {
  readonly role: Role;
  /** The kind of an id that first occurs here. */
  readonly hint: HintKind;
  readonly hex: HexKind;
}

// Members of the API as in contracts/, and those of errors and protobuf messages.
const roles: Readonly<Record<string, Role>> = {
  signature: "signature",
  signatures: "signature",
  hash: "hash",
  preparedTransactionHash: "hash",
  multiHash: "hash",
  externalTransactionHash: "hash",
  contractKeyHash: "hash",
  transactionHash: "hash",
  keyData: "key",
  publicKey: "key",
  createdEventBlob: "protobuf",
  created_event_blob: "protobuf",
  eventBlob: "protobuf",
  preparedTransaction: "protobuf",
  topologyTransactions: "protobuf",
  onboardingTransactions: "protobuf",
  transaction: "protobuf",
  pageToken: "page",
  nextPageToken: "page",
  streamContinuationToken: "page",
  partyHint: "party-hint",
  partyIdHint: "party-hint",
  synchronizerAlias: "synchronizer-hint",
  participant: "participant-hint",
  signedBy: "fingerprint",
  publicKeyFingerprint: "fingerprint",
  fingerprint: "fingerprint",
  contractId: "contract",
  factoryId: "contract",
  correlationId: "correlation",
  submissionId: "correlation",
  commandId: "correlation",
  submission_id: "correlation",
  command_id: "correlation",
  existing_submission_id: "correlation",
  userId: "user",
  user_id: "user",
  cause: "prose",
  error: "prose",
  errors: "prose",
  message: "prose",
  code: "prose",
  commands: "prose",
  reason: "prose",
  beginExclusive: "offset",
  endInclusive: "offset",
  ledgerEnd: "offset",
  ledger_end: "offset",
  participantPrunedUpToInclusive: "offset",
  allDivulgedContractsPrunedUpToInclusive: "offset",
};

/** Longer member names have no role. */
const memberLengthMax = 100;

/** The role of a member: from the API, or from a name that indicates a secret. */
export function roleOf(member: string): Role {
  if (member.length > memberLengthMax) return "other";
  const role = Object.hasOwn(roles, member) ? roles[member] : undefined;
  if (role !== undefined) return role;
  const secret = secretRoleOf(member);
  if (secret !== undefined) return secret;
  if (/offset$/i.test(member)) return "offset";
  return /hash$/i.test(member) ? "hash" : "other";
}

/** The kind of the ids in a member. */
export function hintOf(member: string): HintKind {
  if (/synchronizer|domain/i.test(member)) return "synchronizer";
  if (/participant/i.test(member)) return "participant";
  if (/mediator/i.test(member)) return "mediator";
  return /sequencer/i.test(member) ? "sequencer" : "party";
}

export function hexOf(member: string): HexKind {
  if (/update/i.test(member)) return "update";
  return /fingerprint|signedBy|namespace|party|admin|owner/i.test(member) ? "fingerprint" : "hash";
}

export const nowhere: TextPlace = { role: "other", hint: "party", hex: "hash" };
export const prosePlace: TextPlace = { role: "prose", hint: "party", hex: "hash" };
