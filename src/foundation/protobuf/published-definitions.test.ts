import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  CryptoKeyFormat,
  Enums_ParticipantPermission,
  Enums_TopologyChangeOp,
  PartyToParticipant,
  PreparedTransaction as PublishedTransaction,
  SigningKeySpec,
  SigningKeyUsage,
  SigningPublicKey,
  TopologyTransaction,
  Value,
} from "@canton-network/core-ledger-proto";
import {
  computeMultiHashForTopology,
  computeSha256CantonHash,
  hashPreparedTransaction,
} from "@canton-network/core-tx-visualizer";
import { expect, test } from "vitest";
import { decodeCreatedEventBlob, encodeCreatedEventBlob, encodeTextRecord } from "./created-event-blob.ts";
import { type DamlValue, encodeValue } from "./daml-value.ts";
import { FieldBudget } from "./field-budget.ts";
import { topologyMultiHash, topologyTransactionHash } from "./fingerprint.ts";
import {
  type CreateNode,
  decodePreparedTransaction,
  encodePreparedTransaction,
  type PreparedTransaction,
  type TransactionNode,
  uuidOfPreparedTransaction,
} from "./prepared-transaction.ts";
import { decodeTopologyTransaction, encodePartyToParticipant, type TopologyMapping } from "./topology-transaction.ts";
import { preparedTransactionHash } from "./transaction-hash.ts";

// Compares every number of the messages here with the published definitions: in each message, every field has a value of its own.

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
/** A number that is another one as int32. */
const uint32Max = 2 ** 32 - 1;
const unit: DamlValue = { type: "unit" };
const text = (value: string): DamlValue => ({ type: "text", value });
const publishedText = (value: string): Value => ({ sum: { oneofKind: "text", text: value } });
const publishedId = { packageId: "p", moduleName: "M.N", entityName: "E" };

const values: readonly (readonly [value: DamlValue, published: Value["sum"]])[] = [
  [unit, { oneofKind: "unit", unit: {} }],
  [
    { type: "bool", value: true },
    { oneofKind: "bool", bool: true },
  ],
  [
    { type: "int64", value: -5n },
    { oneofKind: "int64", int64: "-5" },
  ],
  [
    { type: "date", value: -6 },
    { oneofKind: "date", date: -6 },
  ],
  [
    { type: "timestamp", value: -7n },
    { oneofKind: "timestamp", timestamp: "-7" },
  ],
  [
    { type: "numeric", value: "1.5" },
    { oneofKind: "numeric", numeric: "1.5" },
  ],
  [
    { type: "party", value: "alice" },
    { oneofKind: "party", party: "alice" },
  ],
  [text("x"), { oneofKind: "text", text: "x" }],
  [
    { type: "contract-id", value: "00ab" },
    { oneofKind: "contractId", contractId: "00ab" },
  ],
  [
    { type: "optional", value: text("x") },
    { oneofKind: "optional", optional: { value: publishedText("x") } },
  ],
  [
    { type: "list", elements: [text("x"), text("y")] },
    { oneofKind: "list", list: { elements: [publishedText("x"), publishedText("y")] } },
  ],
  [
    { type: "text-map", entries: [["k", text("x")]] },
    { oneofKind: "textMap", textMap: { entries: [{ key: "k", value: publishedText("x") }] } },
  ],
  [
    { type: "gen-map", entries: [[text("k"), text("x")]] },
    { oneofKind: "genMap", genMap: { entries: [{ key: publishedText("k"), value: publishedText("x") }] } },
  ],
  [
    { type: "record", id: "p:M.N:E", fields: [["label", text("x")]] },
    {
      oneofKind: "record",
      record: { recordId: publishedId, fields: [{ label: "label", value: publishedText("x") }] },
    },
  ],
  [
    { type: "variant", id: "p:M.N:E", constructorName: "C", value: text("x") },
    {
      oneofKind: "variant",
      variant: { variantId: publishedId, constructor: "C", value: publishedText("x") },
    },
  ],
  [
    { type: "enum", id: "p:M.N:E", constructorName: "C" },
    { oneofKind: "enum", enum: { enumId: publishedId, constructor: "C" } },
  ],
];

test("each kind of a Daml value has the bytes of the published definition", () => {
  expect(values).toHaveLength(Value.fields.length);
  for (const [value, sum] of values)
    expect([value.type, base64(encodeValue(value))]).toEqual([value.type, base64(Value.toBinary({ sum }))]);
});

const contract = {
  lfVersion: "2.1",
  contractId: "00ab",
  packageName: "name",
  templateId: "p:M.N:E",
  signatories: ["alice"],
  stakeholders: ["alice", "bob"],
};
const published = { ...contract, templateId: publishedId };
const create: CreateNode = { type: "create", ...contract, argument: text("argument") };
const publishedCreate = { ...published, argument: publishedText("argument") };
const byInterface = { actingParties: ["carol"], interfaceId: "i:I.J:K" };
const publishedInterface = { packageId: "i", moduleName: "I.J", entityName: "K" };
const nodes: readonly TransactionNode[] = [
  create,
  { type: "fetch", ...contract, ...byInterface },
  {
    type: "exercise",
    ...contract,
    ...byInterface,
    choice: "Choose",
    argument: text("chosen"),
    isConsuming: true,
    children: ["0", "1"],
    result: text("result"),
    choiceObservers: ["dave"],
  },
  { type: "rollback", children: ["2"] },
];
const publishedNodes: Parameters<typeof nodeOf>[1][] = [
  { oneofKind: "create", create: publishedCreate },
  {
    oneofKind: "fetch",
    fetch: { ...published, actingParties: ["carol"], interfaceId: publishedInterface },
  },
  {
    oneofKind: "exercise",
    exercise: {
      ...published,
      actingParties: ["carol"],
      interfaceId: publishedInterface,
      choiceId: "Choose",
      chosenValue: publishedText("chosen"),
      consuming: true,
      children: ["0", "1"],
      exerciseResult: publishedText("result"),
      choiceObservers: ["dave"],
    },
  },
  { oneofKind: "rollback", rollback: { children: ["2"] } },
];

type PublishedNode = NonNullable<PublishedTransaction["transaction"]>["nodes"][number];
type NodeType = Extract<PublishedNode["versionedNode"], { oneofKind: "v1" }>["v1"]["nodeType"];

function nodeOf(nodeId: string, nodeType: NodeType): PublishedNode {
  return { nodeId, versionedNode: { oneofKind: "v1", v1: { nodeType } } };
}

/** A transaction with every field, as it is read here, and as the published definitions write it. */
function transactions(): readonly [PreparedTransaction, PublishedTransaction] {
  const seed = new Uint8Array(32).fill(1);
  return [
    {
      transaction: {
        version: "2.1",
        roots: ["3"],
        nodes: new Map(nodes.map((node, index) => [String(index), node])),
        seeds: new Map([["2", seed]]),
      },
      metadata: {
        actAs: ["alice"],
        commandId: "command",
        synchronizerId: "s::1220ab",
        mediatorGroup: uint32Max,
        transactionUuid: "uuid",
        preparationTimeMicros: 11n,
        inputContracts: [{ contract: create, createdAtMicros: 15n, eventBlob: new Uint8Array([1]) }],
        minLedgerTimeMicros: 12n,
        maxLedgerTimeMicros: 13n,
        maxRecordTimeMicros: 14n,
      },
    },
    {
      transaction: {
        version: "2.1",
        roots: ["3"],
        nodes: publishedNodes.map((nodeType, index) => nodeOf(String(index), nodeType)),
        nodeSeeds: [{ nodeId: 2, seed }],
      },
      metadata: {
        submitterInfo: { actAs: ["alice"], commandId: "command" },
        synchronizerId: "s::1220ab",
        mediatorGroup: uint32Max,
        transactionUuid: "uuid",
        preparationTime: 11n,
        inputContracts: [
          {
            contract: { oneofKind: "v1", v1: publishedCreate },
            createdAt: 15n,
            eventBlob: new Uint8Array([1]),
          },
        ],
        minLedgerEffectiveTime: 12n,
        maxLedgerEffectiveTime: 13n,
        maxRecordTime: 14n,
        globalKeyMapping: [],
      },
    },
  ];
}

test("a prepared transaction has the bytes of the published definition, in every field of every node", () => {
  const [ours, theirs] = transactions();
  const bytes = base64(PublishedTransaction.toBinary(theirs));
  expect(encodePreparedTransaction(ours)).toBe(bytes);
  expect(decodePreparedTransaction(bytes)).toEqual(ours);
  expect(uuidOfPreparedTransaction(bytes, new FieldBudget())).toBe("uuid");
});

test("the hash of a prepared transaction is the published one, for each kind of value and node", async () => {
  const [{ transaction, metadata }] = transactions();
  if (transaction === undefined) throw new Error("no transaction");
  for (const [value] of values) {
    const argument: DamlValue = { type: "record", fields: [["field", value]] };
    const prepared = {
      transaction: { ...transaction, nodes: new Map([...transaction.nodes, ["0", { ...create, argument }]]) },
      metadata,
    };
    const hash = base64(preparedTransactionHash(prepared, "V2"));
    expect([value.type, hash]).toEqual([
      value.type,
      await hashPreparedTransaction(encodePreparedTransaction(prepared)),
    ]);
  }
});

const key = { format: 3, bytes: new Uint8Array([1, 2, 3]), usages: [1, 4, 5], spec: 2 };
const publishedKey: SigningPublicKey = {
  format: CryptoKeyFormat.RAW,
  publicKey: key.bytes,
  scheme: 0,
  usage: [SigningKeyUsage.NAMESPACE, SigningKeyUsage.PROTOCOL, SigningKeyUsage.PROOF_OF_OWNERSHIP],
  keySpec: SigningKeySpec.EC_P256,
};
const hosts = {
  party: "alice::1220ab",
  threshold: uint32Max,
  participants: [
    { id: "one::1220ab", permission: "submission" },
    { id: "two::1220ab", permission: "confirmation" },
    { id: "three::1220ab", permission: "observation" },
  ],
} as const;
const publishedHosts: PartyToParticipant = {
  party: "alice::1220ab",
  threshold: uint32Max,
  participants: [
    { participantUid: "one::1220ab", permission: Enums_ParticipantPermission.SUBMISSION },
    { participantUid: "two::1220ab", permission: Enums_ParticipantPermission.CONFIRMATION },
    { participantUid: "three::1220ab", permission: Enums_ParticipantPermission.OBSERVATION },
  ],
};

test.each<[mapping: TopologyMapping, published: NonNullable<TopologyTransaction["mapping"]>["mapping"]]>([
  [
    { type: "namespace-delegation", namespace: "1220ab", targetKey: key },
    {
      oneofKind: "namespaceDelegation",
      namespaceDelegation: {
        namespace: "1220ab",
        targetKey: publishedKey,
        isRootDelegation: true,
        restriction: { oneofKind: undefined },
      },
    },
  ],
  [
    { type: "decentralized-namespace", namespace: "1220ab", threshold: -7, owners: ["1220cd"] },
    {
      oneofKind: "decentralizedNamespaceDefinition",
      decentralizedNamespaceDefinition: { decentralizedNamespace: "1220ab", threshold: -7, owners: ["1220cd"] },
    },
  ],
  [
    { type: "party-to-participant", hosting: { ...hosts, keys: [], keyThreshold: 0 } },
    { oneofKind: "partyToParticipant", partyToParticipant: publishedHosts },
  ],
  [
    { type: "party-to-key", party: "alice::1220ab", threshold: uint32Max, keys: [key] },
    {
      oneofKind: "partyToKeyMapping",
      partyToKeyMapping: { party: "alice::1220ab", threshold: uint32Max, signingKeys: [publishedKey] },
    },
  ],
  [{ type: "other" }, { oneofKind: "purgeTopologyTxs", purgeTopologyTxs: { synchronizerId: "s", mappings: [] } }],
])("a topology transaction of the published definitions is read in every field: %o", (mapping, written) => {
  const theirs = (operation: Enums_TopologyChangeOp) =>
    decodeTopologyTransaction(
      base64(TopologyTransaction.toBinary({ operation, serial: uint32Max, mapping: { mapping: written } })),
    );
  expect(theirs(Enums_TopologyChangeOp.ADD_REPLACE)).toEqual({ isAddOrReplace: true, serial: uint32Max, mapping });
  expect(theirs(Enums_TopologyChangeOp.REMOVE)?.isAddOrReplace).toBe(false);
});

const tagged = (number: number, inner: Uint8Array) =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(inner);

/** The bytes in a field of a message that has numbers and bytes only. */
function bytesIn(message: Uint8Array, number: number): Uint8Array {
  const reader = new BinaryReader(message);
  for (;;) {
    const [found, wireType] = reader.tag();
    const bytes = wireType === WireType.LengthDelimited ? reader.bytes() : undefined;
    if (bytes === undefined) reader.uint32();
    else if (found === number) return bytes;
  }
}

test("the onboarding of a party is read by the published definitions in every field, in the envelope with its version", () => {
  const encoded = bytesOf(encodePartyToParticipant(hosts, key));
  const envelope = new BinaryReader(encoded);
  expect(envelope.tag()).toEqual([1, WireType.LengthDelimited]);
  const transaction = envelope.bytes();
  expect([envelope.tag(), envelope.int32(), envelope.pos]).toEqual([[2, WireType.Varint], 30, envelope.len]);
  const { operation, serial } = TopologyTransaction.fromBinary(transaction);
  expect([operation, serial]).toEqual([Enums_TopologyChangeOp.ADD_REPLACE, 1]);
  const hosting = bytesIn(bytesIn(transaction, 3), 9);
  expect(PartyToParticipant.fromBinary(hosting)).toMatchObject(publishedHosts);
  // `party_signing_keys` of release 3.5, a SigningKeysWithThreshold: later than the published definitions.
  const signing = bytesIn(hosting, 6);
  expect(SigningPublicKey.fromBinary(bytesIn(signing, 1))).toMatchObject(publishedKey);
  expect([...signing.slice(-2)]).toEqual([2 * 8 + WireType.Varint, 1]);
  const most = new BinaryWriter().tag(2, WireType.Varint).uint32(uint32Max).finish();
  const read = decodeTopologyTransaction(base64(tagged(3, tagged(9, tagged(6, most).finish()).finish()).finish()));
  expect(read?.mapping).toMatchObject({ hosting: { keyThreshold: uint32Max } });
});

test("topology transactions have the hashes that the wallet SDK computes, in any order", async () => {
  const transactions = [3, 1, 2].map((fill) => new Uint8Array(50).fill(fill));
  const hashes = await Promise.all(transactions.map((bytes) => computeSha256CantonHash(11, bytes)));
  expect(transactions.map((bytes) => base64(topologyTransactionHash(bytes)))).toEqual(hashes.map(base64));
  const common = await computeSha256CantonHash(55, await computeMultiHashForTopology(hashes));
  expect(base64(topologyMultiHash(hashes))).toBe(base64(common));
});

/** The messages of transaction.proto and value.proto (com.digitalasset.daml.lf): no package has them. */
test("a created event has the fields of the published transaction.proto and value.proto", () => {
  const argument = encodeTextRecord(["x", "y"]);
  const field = (value: string) => tagged(1, tagged(1, tagged(8, Buffer.from(value)).finish()).finish()).finish();
  expect(base64(argument)).toBe(base64(tagged(13, new Uint8Array([...field("x"), ...field("y")])).finish()));
  const event = {
    contractId: "00ab",
    packageName: "name",
    templateId: "p:M.N:E",
    createArgument: argument,
    signatories: ["alice", "bob"],
    createdAtMicros: -7n,
  };
  const written = new BinaryWriter();
  const raw = (number: number, bytes: Uint8Array) => written.raw(tagged(number, bytes).finish());
  raw(1, new Uint8Array([0, 0xab]));
  raw(2, Buffer.from("name"));
  const id = ["p", "M", "N", "E"].map((part, place) => tagged([1, 2, 2, 3][place] ?? 0, Buffer.from(part)).finish());
  raw(3, new Uint8Array(id.flatMap((part) => [...part])));
  raw(4, argument);
  raw(5, Buffer.from("alice"));
  raw(5, Buffer.from("bob"));
  written.tag(7, WireType.Bit64).sfixed64(-7n);
  raw(8, new Uint8Array(42));
  const blob = base64(
    new BinaryWriter()
      .raw(tagged(1, Buffer.from("2.1")).finish())
      .raw(tagged(2, written.finish()).finish())
      .finish(),
  );
  expect(encodeCreatedEventBlob(event)).toBe(blob);
  expect(decodeCreatedEventBlob(blob)).toEqual(event);
});
