import { expect, test } from "vitest";
import { redacted as redactedParts } from "../../../test/_redacted.ts";
import { encodeTextRecord } from "../../foundation/protobuf/created-event-blob.ts";
import {
  decodePreparedTransaction,
  encodePreparedTransaction,
} from "../../foundation/protobuf/prepared-transaction.ts";
import { decodeTopologyTransaction, encodePartyToParticipant } from "../../foundation/protobuf/topology-transaction.ts";
import { base64OfBytes, bytesOfBase64 } from "../../foundation/text/base64.ts";

const id = (hint: string) => `${hint}::1220${"a".repeat(64)}`;

function redacted(value: object): ReturnType<typeof JSON.parse> {
  return JSON.parse(redactedParts({ target: "/", body: value }).body);
}

test("reads a Daml text as text even if it parses as a message", () => {
  const text = `B${String.fromCharCode(id("x").length)}${id("x")}`;
  const read = redacted({ text, createdEventBlob: base64OfBytes(encodeTextRecord([text])) });
  expect(bytesOfBase64(read.createdEventBlob)).toEqual(encodeTextRecord([read.text]));
});

test("distinguishes the synchronizer of a prepared transaction from a party", () => {
  const metadata = {
    actAs: [id("alice")],
    commandId: "",
    synchronizerId: id("main"),
    mediatorGroup: 0,
    transactionUuid: "",
    preparationTimeMicros: 1n,
    minLedgerTimeMicros: undefined,
    maxLedgerTimeMicros: undefined,
    maxRecordTimeMicros: undefined,
    inputContracts: [],
  };
  const { preparedTransaction } = redacted({
    preparedTransaction: encodePreparedTransaction({ transaction: undefined, metadata }),
  });
  expect(decodePreparedTransaction(preparedTransaction)?.metadata).toMatchObject({
    actAs: [expect.stringMatching(/^party-1::/)],
    synchronizerId: expect.stringMatching(/^synchronizer-1::/),
  });
});

/** 110 is the letter n, so that the key is a text as well. */
test.each([200, 110])("gives a public key of bytes %d the same name in JSON and in protobuf", (byte) => {
  const key = new Uint8Array(32).fill(byte);
  const transaction = encodePartyToParticipant(
    { party: id("alice"), threshold: 1, participants: [] },
    { bytes: key, spec: 1, format: 3 },
  );
  const read = redacted({ publicKey: { keyData: base64OfBytes(key) }, topologyTransactions: [transaction] });
  const decoded = decodeTopologyTransaction(read.topologyTransactions[0]);
  const renamed = decoded?.mapping.type === "party-to-participant" ? decoded.mapping.hosting.keys[0]?.bytes : undefined;
  expect(renamed).toEqual(bytesOfBase64(read.publicKey.keyData));
  expect(renamed).not.toEqual(key);
});

test("keeps the DER frame of a key, and gives it the name of the raw key", () => {
  const frame = Buffer.from("302a300506032b6570032100", "hex");
  const key = Buffer.alloc(32, 200);
  const read = redacted({
    a: { keyData: Buffer.concat([frame, key]).toString("base64") },
    b: { keyData: key.toString("base64") },
  });
  const [inDer, bare] = [read.a, read.b].map(({ keyData }) => Buffer.from(keyData, "base64"));
  expect(inDer).toEqual(Buffer.concat([frame, bare ?? key]));
  expect(bare).not.toEqual(key);
});

test("keeps zeros and short byte strings", () => {
  const createdEventBlob = base64OfBytes(Uint8Array.of(0x0a, 20, ...new Uint8Array(20), 0x12, 3, 200, 201, 202));
  expect(redacted({ createdEventBlob })).toEqual({ createdEventBlob });
});

test("redacts readable names in bytes of unknown form, and keeps the bytes around them", () => {
  const blob = (party: string) =>
    Buffer.concat([Buffer.from([255, 7, 0]), Buffer.from(party), Buffer.from([0, 254])]).toString("base64");
  const read = redacted({ party: id("alice"), odd: blob(id("alice")) });
  expect(read.odd).toBe(blob(read.party));
});
