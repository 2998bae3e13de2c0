import { bytesOfBase64, type Fields, readFields } from "./_fields.ts";

/** A TopologyTransaction (com.digitalasset.canton.protocol.v30), as far as the onboarding of a party needs it. */
export interface TopologyTransaction {
  readonly isAddOrReplace: boolean;
  readonly serial: number;
  readonly mapping: TopologyMapping;
}

export type TopologyMapping =
  | { readonly type: "namespace-delegation"; readonly namespace: string; readonly targetKey: Uint8Array }
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
      readonly keys: readonly Uint8Array[];
    }
  | { readonly type: "other" };

/** Where a party is hosted, and the keys with which it signs if they stand there. Keys are the raw public keys. */
export interface PartyHosting {
  readonly party: string;
  readonly threshold: number;
  readonly participants: readonly { readonly id: string; readonly permission: HostingPermission }[];
  readonly keys: readonly Uint8Array[];
  readonly keyThreshold: number;
}

export type HostingPermission = "unspecified" | "submission" | "confirmation" | "observation";

const permissions: readonly HostingPermission[] = ["unspecified", "submission", "confirmation", "observation"];
const addOrReplace = 1n;

/** The transaction in standard base64, bare or in the envelope that carries its version; undefined where it is none. */
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

/** SigningPublicKey { 3: public key }. */
function publicKey(key: Fields | undefined): Uint8Array {
  return key?.bytes(3).at(-1) ?? new Uint8Array();
}
