import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { PreparedTransaction } from "@canton-network/core-ledger-proto";
import { computeSha256CantonHash } from "@canton-network/core-tx-visualizer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { disclosedSamples } from "../../../test/_sample-responses.ts";
import { field, fromBase64, message } from "./_message.ts";
import { bytes } from "./_wire-types.ts";
import { decodeCreatedEventBlob, encodeCreatedEventBlob, encodeTextRecord } from "./created-event-blob.ts";
import { FieldBudget } from "./field-budget.ts";
import { decentralizedNamespaceOf, fingerprintOf } from "./fingerprint.ts";
import { decodePreparedTransaction } from "./prepared-transaction.ts";
import { decodeTopologyTransaction } from "./topology-transaction.ts";

test("reads blobs with the nested values of real templates", () => {
  expect(disclosedSamples).toHaveLength(4);
  for (const contract of disclosedSamples)
    expect(decodeCreatedEventBlob(contract.createdEventBlob)).toMatchObject({
      contractId: contract.contractId,
      templateId: contract.templateId,
      packageName: "splice-amulet",
      signatories: [expect.stringMatching(/^DSO::1220/)],
    });
});

test("reads back what it writes, for any contract", () => {
  const hex = fc.uint8Array({ minLength: 69, maxLength: 69 }).map((bytes) => Buffer.from(bytes).toString("hex"));
  const event = fc.record({
    contractId: hex,
    packageName: fc.stringMatching(/^[a-z-]{1,20}$/),
    templateId: fc.stringMatching(/^[0-9a-f]{64}:[A-Z][a-z]{1,8}(?:\.[A-Z][a-z]{1,8}){0,2}:[A-Z][a-z]{1,8}$/),
    createdAtMicros: fc.bigInt({ min: 0n, max: 2n ** 53n }),
    signatories: fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 3 }),
    createArgument: fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }).map(encodeTextRecord),
  });
  fc.assert(
    fc.property(event, (value) => {
      expect(decodeCreatedEventBlob(encodeCreatedEventBlob(value))).toEqual(value);
    }),
  );
});

test("hashes keys and owners like other tools", async () => {
  const key = new TextEncoder().encode("k".repeat(32));
  const theirs = Buffer.from(await computeSha256CantonHash(12, key)).toString("hex");
  expect(fingerprintOf(key)).toBe(theirs);
  const owners = ["1220bb", "1220aa"];
  const framed = Buffer.concat(
    [...owners].sort().flatMap((owner) => [Buffer.from([0, 0, 0, owner.length]), Buffer.from(owner)]),
  );
  const joint = Buffer.from(await computeSha256CantonHash(37, new Uint8Array(framed))).toString("hex");
  expect(decentralizedNamespaceOf(owners)).toBe(joint);
});

test("reads the metadata of a prepared transaction that the published definitions wrote", () => {
  const bytes = PreparedTransaction.toBinary({
    transaction: { version: "2.1", roots: ["0"], nodes: [], nodeSeeds: [] },
    metadata: {
      submitterInfo: { actAs: ["a::1220ab", "b::1220ab"], commandId: "c" },
      synchronizerId: "s::1220ab",
      mediatorGroup: 0,
      transactionUuid: "u",
      preparationTime: 5n,
      inputContracts: [],
      maxLedgerEffectiveTime: 7_000_000n,
      globalKeyMapping: [],
    },
  });
  expect(decodePreparedTransaction(Buffer.from(bytes).toString("base64"))).toMatchObject({
    transaction: { roots: ["0"] },
    metadata: {
      actAs: ["a::1220ab", "b::1220ab"],
      commandId: "c",
      synchronizerId: "s::1220ab",
      transactionUuid: "u",
      minLedgerTimeMicros: undefined,
      maxLedgerTimeMicros: 7_000_000n,
    },
  });
});

test("never throws on any bytes, and reads no bytes as an empty message", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      decodeCreatedEventBlob(text);
      decodePreparedTransaction(text);
      decodeTopologyTransaction(text);
    }),
  );
  expect(decodePreparedTransaction("")).toEqual({ transaction: undefined, metadata: undefined });
  expect(decodeTopologyTransaction("")).toBeUndefined();
  expect(decodePreparedTransaction("not base64")).toBeUndefined();
});

const base64 = (writer: BinaryWriter) => Buffer.from(writer.finish()).toString("base64");
const text = (writer: BinaryWriter, field: number, value: string) =>
  writer.tag(field, WireType.LengthDelimited).string(value);
const inside = (field: number, inner: BinaryWriter) =>
  new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(inner.finish());

test("uses the last of several values, and skips unknown fields of any type", () => {
  const metadata = text(text(new BinaryWriter(), 3, "a"), 3, "b");
  metadata.tag(9, WireType.Varint).uint32(1).tag(9, WireType.Varint).uint32(2);
  metadata.tag(10, WireType.Varint).uint32(3);
  metadata.tag(90, WireType.Bit32).fixed32(0xffffffff).tag(91, WireType.Bit64).fixed64(1n);
  expect(decodePreparedTransaction(base64(inside(2, text(metadata, 5, "u"))))).toMatchObject({
    metadata: { synchronizerId: "b", minLedgerTimeMicros: 2n, maxLedgerTimeMicros: 3n, transactionUuid: "u" },
  });
});

test("refuses a known field of another type, and more fields than memory allows", () => {
  const number = new BinaryWriter().tag(3, WireType.Varint).uint32(1);
  expect(decodePreparedTransaction(base64(inside(2, number)))).toBeUndefined();
  const withUnknown = (count: number) => {
    const metadata = new BinaryWriter();
    for (let field = 0; field < count; field += 1) metadata.tag(90, WireType.Varint).uint32(0);
    return decodePreparedTransaction(base64(inside(2, metadata)));
  };
  expect(withUnknown(499_999)).toBeDefined();
  expect(withUnknown(500_001)).toBeUndefined();
});

test("reads a key with its usages packed or one by one", () => {
  const packed = new BinaryWriter().uint32(1).uint32(4).finish();
  const keys = [
    new BinaryWriter().tag(5, WireType.LengthDelimited).bytes(packed),
    new BinaryWriter().tag(5, WireType.Varint).uint32(1).tag(5, WireType.Varint).uint32(4),
  ];
  for (const key of keys)
    expect(decodeTopologyTransaction(base64(inside(3, inside(16, inside(4, key)))))?.mapping).toMatchObject({
      keys: [{ usages: [1, 4] }],
    });
});

test("refuses text that is not UTF-8", () => {
  const broken = new BinaryWriter().tag(3, WireType.LengthDelimited).bytes(new Uint8Array([0xff]));
  expect(decodePreparedTransaction(base64(inside(2, broken)))).toBeUndefined();
});

test("writes a blob with the authentication data of a contract, and refuses one without its time", () => {
  const blob = encodeCreatedEventBlob({
    contractId: "00ab",
    packageName: "p",
    templateId: "a:M.N:T",
    createdAtMicros: 1n,
    signatories: [],
    createArgument: new Uint8Array(),
  });
  const authentication = message({ instance: field(2, message({ data: field(8, bytes) })) });
  expect(fromBase64(authentication, blob, new FieldBudget())).toEqual({ instance: { data: new Uint8Array(42) } });
  const template = text(text(text(new BinaryWriter(), 1, "a"), 2, "M"), 3, "T");
  const bare = text(new BinaryWriter(), 1, "id").tag(3, WireType.LengthDelimited).bytes(template.finish());
  expect(decodeCreatedEventBlob(base64(inside(2, bare)))).toBeUndefined();
  expect(decodeCreatedEventBlob(base64(inside(2, bare.tag(7, WireType.Bit64).fixed64(1n))))).toBeUndefined();
});

test("encodes an event with texts of any length", () => {
  const packageName = "a".repeat(200_000);
  const event = { contractId: "00ab", packageName, templateId: "p:M:T", createdAtMicros: 1n, signatories: [] };
  const blob = encodeCreatedEventBlob({ ...event, createArgument: new Uint8Array() });
  expect(decodeCreatedEventBlob(blob)?.packageName).toBe(packageName);
});
