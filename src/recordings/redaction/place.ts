import { secretRoleOf } from "../../foundation/secrets/secret-name.ts";
import type { HexKind, HintKind } from "./renaming.ts";

/** What a member's value is, told by the member's name. */
export type Role =
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

/** Where a text stands. */
export interface Place {
  readonly role: Role;
  /** What an id is called that stands first here. */
  readonly hint: HintKind;
  readonly hex: HexKind;
}

// The members of the API as contracts/ names them; those of errors and of protobuf's own names beside them.
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

/** Parts of a private key in JSON (RFC 7518), which have these names nowhere else at such lengths. */
const keyParts: ReadonlySet<string> = new Set(["d", "p", "q", "k"]);
const keyPart = /^[A-Za-z0-9_-]{40,}$/;

/** A longer name says nothing of its value. */
const memberLengthMax = 100;

/** What a member is; the role of its value in the API, or that of a secret by its name. */
export function roleOf(member: string): Role {
  if (member.length > memberLengthMax) return "other";
  const role = Object.hasOwn(roles, member) ? roles[member] : undefined;
  if (role !== undefined) return role;
  const secret = secretRoleOf(member);
  if (secret !== undefined) return secret;
  if (/offset$/i.test(member)) return "offset";
  return /hash$/i.test(member) ? "hash" : "other";
}

/** Whether a value is the private part of a key in JSON. */
export function isKeyPart(member: string, value: string): boolean {
  return member.length === 1 && keyParts.has(member) && keyPart.test(value);
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

export const nowhere: Place = { role: "other", hint: "party", hex: "hash" };
export const prosePlace: Place = { role: "prose", hint: "party", hex: "hash" };
