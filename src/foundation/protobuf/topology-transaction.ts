import { base64OfBytes, bytesOfBase64 } from "../text/base64.ts";
import { type Fields, readFields } from "./_fields.ts";
import { Message } from "./_message.ts";

/** A TopologyTransaction (com.digitalasset.canton.protocol.v30), with the parts for the onboarding of a party. */
export interface TopologyTransaction {
  readonly isAddOrReplace: boolean;
  readonly serial: number;
  readonly mapping: TopologyMapping;
}

export type TopologyMapping =
  | { readonly type: "namespace-delegation"; readonly namespace: string; readonly targetKey: PublicKey }
  | {
      readonly type: "decentralized-namespace";
      readonly namespace: string;
      readonly threshold: number;
      readonly owners: readonly string[];
    }
  | { readonly type: "party-to-participant"; readonly hosting: PartyHosting }
  | {
      readonly type: "party-to-key";
      readonly party: string;
      readonly threshold: number;
      readonly keys: readonly PublicKey[];
    }
  | { readonly type: "other" };

/** A key with the number of its curve in the protobuf: 1 Curve25519, 2 P-256, 3 P-384, 4 secp256k1. */
export interface PublicKey {
  readonly bytes: Uint8Array;
  readonly spec: number;
}

/** The hosting of a party, and its signing keys if included. */
export interface PartyHosting {
  readonly party: string;
  readonly threshold: number;
  readonly participants: readonly { readonly id: string; readonly permission: HostingPermission }[];
  readonly keys: readonly PublicKey[];
  readonly keyThreshold: number;
}

type HostingPermission = "unspecified" | "submission" | "confirmation" | "observation";

const permissions: readonly HostingPermission[] = ["unspecified", "submission", "confirmation", "observation"];
const addOrReplace = 1n;

/** The transaction in standard base64, with or without the version envelope; undefined if invalid. */
export function decodeTopologyTransaction(base64: string): TopologyTransaction | undefined {
  const bytes = bytesOfBase64(base64);
  if (bytes === undefined || bytes.length === 0) return undefined;
  return decoded(enveloped(bytes)) ?? decoded(bytes);
}

/** UntypedVersionedMessage { 1: data, 2: version }. */
function enveloped(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const envelope = readFields(bytes);
    return envelope.integer(2) > 0n ? envelope.bytes(1).at(-1) : undefined;
  } catch {
    return undefined;
  }
}

function decoded(bytes: Uint8Array | undefined): TopologyTransaction | undefined {
  if (bytes === undefined) return undefined;
  try {
    const transaction = readFields(bytes);
    const mapping = transaction.message(3);
    if (mapping === undefined) return undefined;
    return {
      isAddOrReplace: transaction.integer(1) === addOrReplace,
      serial: Number(transaction.integer(2)),
      mapping: mappingOf(mapping),
    };
  } catch {
    return undefined;
  }
}

function mappingOf(mapping: Fields): TopologyMapping {
  const delegation = mapping.message(1);
  if (delegation !== undefined)
    return { type: "namespace-delegation", namespace: delegation.text(1), targetKey: publicKey(delegation.message(2)) };
  const decentralized = mapping.message(3);
  if (decentralized !== undefined)
    return {
      type: "decentralized-namespace",
      namespace: decentralized.text(1),
      threshold: Number(decentralized.integer(2)),
      owners: decentralized.texts(3),
    };
  const hosting = mapping.message(9);
  if (hosting !== undefined) return { type: "party-to-participant", hosting: hostingOf(hosting) };
  const keys = mapping.message(16);
  if (keys === undefined) return { type: "other" };
  return {
    type: "party-to-key",
    party: keys.text(1),
    threshold: Number(keys.integer(3)),
    keys: keys.bytes(4).map((key) => publicKey(readFields(key))),
  };
}

function hostingOf(hosting: Fields): PartyHosting {
  const keys = hosting.message(6);
  return {
    party: hosting.text(1),
    threshold: Number(hosting.integer(2)),
    participants: hosting
      .bytes(3)
      .map(readFields)
      .map((participant) => ({
        id: participant.text(1),
        permission: permissions[Number(participant.integer(2))] ?? "unspecified",
      })),
    keys: keys?.bytes(1).map((key) => publicKey(readFields(key))) ?? [],
    keyThreshold: Number(keys?.integer(2) ?? 0n),
  };
}

/** SigningPublicKey { 3: public key, 6: specification of its curve }. */
function publicKey(key: Fields | undefined): PublicKey {
  return { bytes: key?.bytes(3).at(-1) ?? new Uint8Array(), spec: Number(key?.integer(6) ?? 0n) };
}

/** A key in a request, with the protobuf numbers of its format and curve. */
export interface GivenKey extends PublicKey {
  readonly format: number;
}

const namespaceUsage = 1;
const protocolUsage = 4;
const proofOfOwnershipUsage = 8;
const protocolVersion = 30;

/** The onboarding of an external party in one transaction, with the version envelope, in base64. */
export function encodePartyToParticipant(hosting: Omit<PartyHosting, "keys" | "keyThreshold">, key: GivenKey): string {
  const participants = hosting.participants.map(({ id, permission }) =>
    new Message().text(1, id).varint(2, permissions.indexOf(permission)).finish(),
  );
  const usages = [namespaceUsage, protocolUsage, proofOfOwnershipUsage];
  const signing = new Message().varint(2, key.format).bytes(3, key.bytes);
  for (const usage of usages) signing.varint(5, usage);
  const keys = new Message().bytes(1, signing.varint(6, key.spec).finish()).varint(2, 1).finish();
  const mapping = new Message()
    .text(1, hosting.party)
    .varint(2, hosting.threshold)
    .messages(3, participants)
    .bytes(6, keys)
    .finish();
  const transaction = new Message()
    .varint(1, addOrReplace)
    .varint(2, 1)
    .bytes(3, new Message().bytes(9, mapping).finish());
  return base64OfBytes(new Message().bytes(1, transaction.finish()).varint(2, protocolVersion).finish());
}
