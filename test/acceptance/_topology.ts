import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  Enums_ParticipantPermission,
  Enums_TopologyChangeOp,
  TopologyTransaction,
} from "@canton-network/core-ledger-proto";
import { decentralizedNamespaceOf, fingerprintOf } from "../../src/foundation/protobuf/fingerprint.ts";

// Topology transactions as the published definitions write them; keys are arbitrary bytes, because no test verifies a signature.

export const here = "participant1::1220ab";
export const there = "participant2::1220cd";

export interface Key {
  readonly bytes: Uint8Array;
  readonly fingerprint: string;
}

export function keyOf(letter: string): Key {
  const bytes = new TextEncoder().encode(letter.repeat(32));
  return { bytes, fingerprint: fingerprintOf(bytes) };
}

export interface Host {
  readonly id: string;
  readonly permission?: keyof typeof Enums_ParticipantPermission;
}

type Mapping = NonNullable<TopologyTransaction["mapping"]>["mapping"];

function publicKey({ bytes }: Key) {
  return { format: 0, publicKey: bytes, scheme: 0, usage: [], keySpec: 1 };
}

export function transactionOf(
  mapping: Mapping,
  more: { readonly serial?: number; readonly operation?: Enums_TopologyChangeOp } = {},
): string {
  const { serial = 1, operation = Enums_TopologyChangeOp.ADD_REPLACE } = more;
  return base64(TopologyTransaction.toBinary({ operation, serial, mapping: { mapping } }));
}

export function delegation(key: Key, namespace: string = key.fingerprint): string {
  return transactionOf({
    oneofKind: "namespaceDelegation",
    namespaceDelegation: {
      namespace,
      targetKey: publicKey(key),
      isRootDelegation: true,
      restriction: { oneofKind: undefined },
    },
  });
}

export function decentralized(owners: readonly Key[], threshold: number): string {
  const fingerprints = owners.map(({ fingerprint }) => fingerprint);
  return transactionOf({
    oneofKind: "decentralizedNamespaceDefinition",
    decentralizedNamespaceDefinition: {
      decentralizedNamespace: decentralizedNamespaceOf(fingerprints),
      threshold,
      owners: fingerprints,
    },
  });
}

export function keyMapping(party: string, keys: readonly Key[], threshold = 1): string {
  return transactionOf({
    oneofKind: "partyToKeyMapping",
    partyToKeyMapping: { party, threshold, signingKeys: keys.map(publicKey) },
  });
}

export function hostMapping(party: string, hosts: readonly Host[] = [{ id: here }], threshold = 1): string {
  return transactionOf({
    oneofKind: "partyToParticipant",
    partyToParticipant: {
      party,
      threshold,
      participants: hosts.map(({ id, permission = "CONFIRMATION" }) => ({
        participantUid: id,
        permission: Enums_ParticipantPermission[permission],
      })),
    },
  });
}

/** The form of release 3.5, which the published definitions do not have yet: keys beside the hosts, in field 6. */
export function hostMappingWithKeys(
  party: string,
  keys: readonly Key[],
  hosts: readonly Host[] = [{ id: here }],
): string {
  const { mapping } = TopologyTransaction.fromBinary(bytesOf(hostMapping(party, hosts)));
  if (mapping?.mapping.oneofKind !== "partyToParticipant") throw new Error("no hosting");
  const bare = bytesOf(hostMapping(party, hosts));
  const inner = innerOf(innerOf(bare, 3), 9);
  const signingKeys = new BinaryWriter();
  for (const { bytes } of keys)
    signingKeys
      .tag(1, WireType.LengthDelimited)
      .bytes(new BinaryWriter().tag(3, WireType.LengthDelimited).bytes(bytes).finish());
  signingKeys.tag(2, WireType.Varint).uint32(1);
  const hosting = new BinaryWriter().raw(inner).tag(6, WireType.LengthDelimited).bytes(signingKeys.finish()).finish();
  const wrapped = new BinaryWriter().tag(9, WireType.LengthDelimited).bytes(hosting).finish();
  const transaction = new BinaryWriter()
    .tag(1, WireType.Varint)
    .uint32(1)
    .tag(2, WireType.Varint)
    .uint32(1)
    .tag(3, WireType.LengthDelimited)
    .bytes(wrapped)
    .finish();
  return base64(
    new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(transaction).tag(2, WireType.Varint).int32(30).finish(),
  );
}

/** The bytes of a length-delimited field of a message, found without the code under test. */
function innerOf(message: Uint8Array, wanted: number): Uint8Array {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    if ((tag & 7) === 0) {
      varint();
      continue;
    }
    const length = varint();
    if (tag >> 3 === wanted) return message.slice(at, at + length);
    at += length;
  }
  throw new Error(`no field ${wanted}`);
}

export interface WireSignature {
  readonly format: string;
  readonly signature: string;
  readonly signedBy: string;
  readonly signingAlgorithmSpec: string;
}

export function signedBy(...keys: readonly Key[]): readonly WireSignature[] {
  return keys.map(({ fingerprint }) => ({
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: "AAAA",
    signedBy: fingerprint,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  }));
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
