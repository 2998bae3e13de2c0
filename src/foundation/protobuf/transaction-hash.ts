import { sha256 } from "../crypto/sha256.ts";
import { HashWriter } from "./_hash-writer.ts";
import type { DamlField, DamlValue } from "./daml-value.ts";
import type {
  CreateNode,
  DamlTransaction,
  InputContract,
  PreparedMetadata,
  PreparedTransaction,
  TransactionNode,
} from "./prepared-transaction.ts";

// The hash that an external party signs, by the published hashing algorithm of prepared transactions.

export type HashingScheme = "V2" | "V3" | "V4";

const purpose = 48;
const schemeNumbers: Readonly<Record<HashingScheme, number>> = { V2: 2, V3: 3, V4: 4 };

/** The hash, 32 bytes. Throws RangeError if a referenced node is missing or a contract id is not hex. */
export function preparedTransactionHash(prepared: PreparedTransaction, scheme: HashingScheme): Uint8Array {
  const { transaction, metadata } = prepared;
  if (transaction === undefined || metadata === undefined) throw new RangeError("transaction or metadata is missing");
  const writer = new HashWriter();
  writer.int32(purpose);
  writer.byte(schemeNumbers[scheme]);
  writeHash(writer, () => {
    writer.int32(purpose);
    writeTransaction({ writer, transaction, scheme });
  });
  writeHash(writer, () => {
    writer.int32(purpose);
    writeMetadata(writer, metadata, scheme);
  });
  return sha256(writer.takeFrom(0));
}

/** Writes the hash of what a function writes. */
function writeHash(writer: HashWriter, write: () => void): void {
  const start = writer.length;
  write();
  writer.raw(sha256(writer.takeFrom(start)));
}

interface Hashing {
  readonly writer: HashWriter;
  readonly transaction: DamlTransaction;
  readonly scheme: HashingScheme;
}

function writeTransaction(hashing: Hashing): void {
  const { writer, transaction } = hashing;
  writer.text(transaction.version);
  writer.list(transaction.roots, (id) => writeNodeHash(hashing, id));
}

function writeNodeHash(hashing: Hashing, id: string): void {
  const node = hashing.transaction.nodes.get(id);
  if (node === undefined) throw new RangeError(`node ${id} does not exist`);
  writeHash(hashing.writer, () => writeNode(hashing, id, node));
}

/**
 * Scheme V2 writes a version before each node; V3 writes contract keys, which are always absent here. The form of V4 is not
 * published; without external calls it is written like V3.
 */
function writeNode(hashing: Hashing, id: string, node: TransactionNode): void {
  const { writer, transaction, scheme } = hashing;
  const seed = transaction.seeds.get(id);
  if (node.type === "create") {
    writeCreate(writer, node, seed, scheme);
    return;
  }
  if (scheme === "V2") writer.byte(1);
  if (node.type === "rollback") {
    writer.byte(3);
    writer.list(node.children, (child) => writeNodeHash(hashing, child));
    return;
  }
  writer.text(node.lfVersion);
  writer.byte(node.type === "exercise" ? 1 : 2);
  if (node.type === "exercise" && seed !== undefined) writer.raw(seed);
  writeContract(writer, node);
  writeParties(writer, node);
  if (node.type === "exercise") writer.texts(node.actingParties);
  writer.optional(node.interfaceId, (interfaceId) => writeIdentifier(writer, interfaceId));
  if (node.type === "fetch") writer.texts(node.actingParties);
  else {
    writer.text(node.choice);
    writeValue(writer, node.argument);
    writer.bool(node.isConsuming);
    writer.optional(node.result, (result) => writeValue(writer, result));
    writer.texts(node.choiceObservers);
  }
  if (scheme !== "V2") writer.raw(noKeys);
  if (node.type === "exercise") writer.list(node.children, (child) => writeNodeHash(hashing, child));
}

const noKeys = Uint8Array.of(0, 0);

function writeCreate(writer: HashWriter, node: CreateNode, seed: Uint8Array | undefined, scheme: HashingScheme): void {
  if (scheme === "V2") writer.byte(1);
  writer.text(node.lfVersion);
  writer.byte(0);
  writer.optional(seed, (bytes) => writer.raw(bytes));
  writeContract(writer, node);
  writeValue(writer, node.argument);
  writeParties(writer, node);
  if (scheme !== "V2") writer.byte(0);
}

function writeContract(writer: HashWriter, node: Pick<CreateNode, "contractId" | "packageName" | "templateId">): void {
  writer.hex(node.contractId);
  writer.text(node.packageName);
  writeIdentifier(writer, node.templateId);
}

function writeParties(writer: HashWriter, node: Pick<CreateNode, "signatories" | "stakeholders">): void {
  writer.texts(node.signatories);
  writer.texts(node.stakeholders);
}

function writeMetadata(writer: HashWriter, metadata: PreparedMetadata, scheme: HashingScheme): void {
  const writeTime = (micros: bigint) => writer.int64(micros);
  if (scheme === "V2") writer.byte(1);
  writer.texts(metadata.actAs);
  writer.text(metadata.commandId);
  writer.text(metadata.transactionUuid);
  writer.int32(metadata.mediatorGroup);
  writer.text(metadata.synchronizerId);
  writer.optional(metadata.minLedgerTimeMicros, writeTime);
  writer.optional(metadata.maxLedgerTimeMicros, writeTime);
  writer.int64(metadata.preparationTimeMicros);
  writer.list(metadata.inputContracts, (input) => writeInput(writer, input, scheme));
  if (scheme !== "V2") writer.optional(metadata.maxRecordTimeMicros, writeTime);
}

function writeInput(writer: HashWriter, { createdAtMicros, contract }: InputContract, scheme: HashingScheme): void {
  writer.int64(createdAtMicros);
  writeHash(writer, () => writeCreate(writer, contract, undefined, scheme));
}

function writeValue(writer: HashWriter, value: DamlValue): void {
  writer.byte(valueNumbers[value.type]);
  switch (value.type) {
    case "unit":
      return;
    case "bool":
      writer.bool(value.value);
      return;
    case "int64":
    case "timestamp":
      writer.int64(value.value);
      return;
    case "date":
      writer.int32(value.value);
      return;
    case "numeric":
    case "party":
    case "text":
      writer.text(value.value);
      return;
    case "contract-id":
      writer.hex(value.value);
      return;
    case "optional":
      writer.optional(value.value, (inner) => writeValue(writer, inner));
      return;
    case "list":
      writer.list(value.elements, (element) => writeValue(writer, element));
      return;
    case "text-map":
      writer.list(value.entries, ([key, inner]) => {
        writer.text(key);
        writeValue(writer, inner);
      });
      return;
    case "gen-map":
      writer.list(value.entries, ([key, inner]) => {
        writeValue(writer, key);
        writeValue(writer, inner);
      });
      return;
    default:
      writeTyped(writer, value);
  }
}

const valueNumbers: Readonly<Record<DamlValue["type"], number>> = {
  unit: 0,
  bool: 1,
  int64: 2,
  numeric: 3,
  timestamp: 4,
  date: 5,
  party: 6,
  text: 7,
  "contract-id": 8,
  optional: 9,
  list: 10,
  "text-map": 11,
  record: 12,
  variant: 13,
  enum: 14,
  "gen-map": 15,
};

function writeTyped(
  writer: HashWriter,
  value: Extract<DamlValue, { readonly type: "record" | "variant" | "enum" }>,
): void {
  writer.optional(value.id, (id) => writeIdentifier(writer, id));
  if (value.type === "record") writer.list(value.fields, (field) => writeField(writer, field));
  else writer.text(value.constructorName);
  if (value.type === "variant") writeValue(writer, value.value);
}

function writeField(writer: HashWriter, [label, value]: DamlField): void {
  writer.optional(label === "" ? undefined : label, (name) => writer.text(name));
  writeValue(writer, value);
}

function writeIdentifier(writer: HashWriter, id: string): void {
  const [packageId = "", moduleName = "", entityName = ""] = id.split(":");
  writer.text(packageId);
  writer.texts(moduleName.split("."));
  writer.texts(entityName.split("."));
}
