import {
  field,
  fromBase64,
  fromBytes,
  message,
  optional,
  repeated,
  required,
  toBase64,
  toBytes,
  union,
} from "./_message.ts";
import { bytes, converted, int32, string, type Type, uint32 } from "./_wire-types.ts";
import { FieldBudget } from "./field-budget.ts";

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

/** A key with the protobuf number of its curve: 1 Curve25519, 2 P-256, 3 P-384, 4 secp256k1. */
export interface PublicKey {
  readonly format: number;
  readonly bytes: Uint8Array;
  readonly usages: readonly number[];
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
const addOrReplace = 1;

const keyMessage: Type<PublicKey> = {
  ...message<PublicKey>({
    format: field(2, int32),
    bytes: field(3, bytes),
    usages: repeated(5, int32),
    spec: field(6, int32),
  }),
  absent: { format: 0, bytes: new Uint8Array(), usages: [], spec: 0 },
};

const hostMessage = message<PartyHosting["participants"][number]>({
  id: field(1, string),
  permission: field(
    2,
    converted(
      int32,
      (number): HostingPermission => permissions[number] ?? "unspecified",
      (permission) => permissions.indexOf(permission),
    ),
  ),
});

/** The keys of the party and their threshold are a message of their own. */
const hostingMessage: Type<PartyHosting> = converted(
  message({
    party: field(1, string),
    threshold: field(2, uint32),
    participants: repeated(3, hostMessage),
    signing: optional(6, message({ keys: repeated(1, keyMessage), keyThreshold: field(2, uint32) })),
  }),
  ({ signing = { keys: [], keyThreshold: 0 }, ...hosting }) => ({ ...hosting, ...signing }),
  ({ keys, keyThreshold, ...hosting }) => ({
    ...hosting,
    signing: keys.length === 0 ? undefined : { keys: [...keys], keyThreshold },
  }),
);

const mappingMessage = union<TopologyMapping, "other">(
  {
    "namespace-delegation": required(1, message({ namespace: field(1, string), targetKey: field(2, keyMessage) })),
    "decentralized-namespace": required(
      3,
      message({ namespace: field(1, string), threshold: field(2, int32), owners: repeated(3, string) }),
    ),
    "party-to-participant": required(
      9,
      converted(
        hostingMessage,
        (hosting) => ({ hosting }),
        ({ hosting }) => hosting,
      ),
    ),
    "party-to-key": required(
      16,
      message({ party: field(1, string), threshold: field(3, uint32), keys: repeated(4, keyMessage) }),
    ),
  },
  () => ({ type: "other" }),
);

const transactionMessage = message<TopologyTransaction>({
  isAddOrReplace: field(
    1,
    converted(int32, (operation) => operation === addOrReplace, Number),
  ),
  serial: field(2, uint32),
  mapping: field(3, mappingMessage),
});

/** UntypedVersionedMessage. */
const envelopeMessage = message({ data: field(1, bytes), version: field(2, int32) });

/** The transaction in standard base64, with or without the version envelope; undefined if invalid. */
export function decodeTopologyTransaction(
  base64: string,
  budget: FieldBudget = new FieldBudget(),
): TopologyTransaction | undefined {
  const envelope = fromBase64(envelopeMessage, base64, budget);
  const enveloped =
    envelope === undefined || envelope.version <= 0 ? undefined : fromBytes(transactionMessage, envelope.data, budget);
  return enveloped ?? fromBase64(transactionMessage, base64, budget);
}

/** A key in a request. */
export type GivenKey = Omit<PublicKey, "usages">;

const namespaceUsage = 1;
const protocolUsage = 4;
const proofOfOwnershipUsage = 5;
const protocolVersion = 30;

/** The onboarding of an external party in one transaction, with the version envelope, in base64. */
export function encodePartyToParticipant(hosting: Omit<PartyHosting, "keys" | "keyThreshold">, key: GivenKey): string {
  const keys = [{ ...key, usages: [namespaceUsage, protocolUsage, proofOfOwnershipUsage] }];
  const mapping = { type: "party-to-participant", hosting: { ...hosting, keys, keyThreshold: 1 } } as const;
  return encodeMapping(mapping);
}

/** The onboarding of an external party in three transactions, as a validator generates it: namespace, hosting, key. */
export function encodeOnboarding(party: string, participantId: string, key: GivenKey): readonly string[] {
  const named = (usages: readonly number[]) => ({ ...key, usages });
  const participants = [{ id: participantId, permission: "confirmation" }] as const;
  return [
    encodeMapping({
      type: "namespace-delegation",
      namespace: party.split("::")[1] ?? "",
      targetKey: named([namespaceUsage]),
    }),
    encodeMapping({
      type: "party-to-participant",
      hosting: { party, threshold: 1, participants, keys: [], keyThreshold: 0 },
    }),
    encodeMapping({ type: "party-to-key", party, threshold: 1, keys: [named([protocolUsage, proofOfOwnershipUsage])] }),
  ];
}

function encodeMapping(mapping: TopologyMapping): string {
  const data = toBytes(transactionMessage, { isAddOrReplace: true, serial: 1, mapping });
  return toBase64(envelopeMessage, { data, version: protocolVersion });
}
