import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DamlField, DamlValue } from "./daml-value.ts";
import type {
  CreateNode,
  DamlTransaction,
  InputContract,
  PreparedMetadata,
  PreparedTransaction,
  TransactionNode,
} from "./prepared-transaction.ts";

// The hash that an external party signs, by the published hashing algorithm of prepared transactions. Numbers are
// big-endian. Texts and bytes are prefixed with their length, lists with their count, optional parts with 0 or 1.

export type HashingScheme = "V2" | "V3";

const purpose = int32(48);
const schemeNumbers: Readonly<Record<HashingScheme, number>> = { V2: 2, V3: 3 };

/** The hash, 32 bytes. Throws RangeError if a referenced node is missing or a contract id is not hex. */
export function preparedTransactionHash(prepared: PreparedTransaction, scheme: HashingScheme): Uint8Array {
  const { transaction, metadata } = prepared;
  if (transaction === undefined || metadata === undefined) throw new RangeError("transaction or metadata is missing");
  return sha256(
    concatBytes(
      purpose,
      Uint8Array.of(schemeNumbers[scheme]),
      sha256(concatBytes(purpose, encodeTransaction(transaction, scheme))),
      sha256(concatBytes(purpose, encodeMetadata(metadata, scheme))),
    ),
  );
}

function encodeTransaction(transaction: DamlTransaction, scheme: HashingScheme): Uint8Array {
  return concatBytes(
    text(transaction.version),
    list(transaction.roots, (id) => nodeHash(transaction, id, scheme)),
  );
}

function nodeHash(transaction: DamlTransaction, id: string, scheme: HashingScheme): Uint8Array {
  const node = transaction.nodes.get(id);
  if (node === undefined) throw new RangeError(`node ${id} does not exist`);
  return sha256(encodeNode(transaction, id, node, scheme));
}

/** Scheme V2 writes a version before each node; V3 writes contract keys, which are always absent here. */
function encodeNode(
  transaction: DamlTransaction,
  id: string,
  node: TransactionNode,
  scheme: HashingScheme,
): Uint8Array {
  const version = scheme === "V2" ? Uint8Array.of(1) : new Uint8Array();
  const children = (ids: readonly string[]) => list(ids, (child) => nodeHash(transaction, child, scheme));
  const byKey = scheme === "V2" ? new Uint8Array() : Uint8Array.of(0, 0);
  const seed = transaction.seeds.get(id);
  switch (node.type) {
    case "create":
      return encodeCreate(node, seed, scheme);
    case "exercise":
      return concatBytes(
        version,
        text(node.lfVersion),
        Uint8Array.of(1),
        seed ?? new Uint8Array(),
        contract(node),
        parties(node),
        list(node.actingParties, text),
        optional(node.interfaceId, identifier),
        text(node.choice),
        encodeValue(node.argument),
        bool(node.isConsuming),
        optional(node.result, encodeValue),
        list(node.choiceObservers, text),
        byKey,
        children(node.children),
      );
    case "fetch":
      return concatBytes(
        version,
        text(node.lfVersion),
        Uint8Array.of(2),
        contract(node),
        parties(node),
        optional(node.interfaceId, identifier),
        list(node.actingParties, text),
        byKey,
      );
    case "rollback":
      return concatBytes(version, Uint8Array.of(3), children(node.children));
  }
}

function encodeCreate(node: CreateNode, seed: Uint8Array | undefined, scheme: HashingScheme): Uint8Array {
  return concatBytes(
    scheme === "V2" ? Uint8Array.of(1) : new Uint8Array(),
    text(node.lfVersion),
    Uint8Array.of(0),
    optional(seed, (bytes) => bytes),
    contract(node),
    encodeValue(node.argument),
    parties(node),
    scheme === "V2" ? new Uint8Array() : Uint8Array.of(0),
  );
}

function contract(node: Pick<CreateNode, "contractId" | "packageName" | "templateId">): Uint8Array {
  return concatBytes(hex(node.contractId), text(node.packageName), identifier(node.templateId));
}

function parties(node: Pick<CreateNode, "signatories" | "stakeholders">): Uint8Array {
  return concatBytes(list(node.signatories, text), list(node.stakeholders, text));
}

function encodeMetadata(metadata: PreparedMetadata, scheme: HashingScheme): Uint8Array {
  return concatBytes(
    scheme === "V2" ? Uint8Array.of(1) : new Uint8Array(),
    list(metadata.actAs, text),
    text(metadata.commandId),
    text(metadata.transactionUuid),
    int32(metadata.mediatorGroup),
    text(metadata.synchronizerId),
    optional(metadata.minLedgerTimeMicros, int64),
    optional(metadata.maxLedgerTimeMicros, int64),
    int64(metadata.preparationTimeMicros),
    list(metadata.inputContracts, (input) => encodeInput(input, scheme)),
    scheme === "V2" ? new Uint8Array() : optional(metadata.maxRecordTimeMicros, int64),
  );
}

function encodeInput({ createdAtMicros, contract: created }: InputContract, scheme: HashingScheme): Uint8Array {
  return concatBytes(int64(createdAtMicros), sha256(encodeCreate(created, undefined, scheme)));
}

function encodeValue(value: DamlValue): Uint8Array {
  switch (value.type) {
    case "unit":
      return Uint8Array.of(0);
    case "bool":
      return concatBytes(Uint8Array.of(1), bool(value.value));
    case "int64":
      return concatBytes(Uint8Array.of(2), int64(value.value));
    case "numeric":
      return concatBytes(Uint8Array.of(3), text(value.value));
    case "timestamp":
      return concatBytes(Uint8Array.of(4), int64(value.value));
    case "date":
      return concatBytes(Uint8Array.of(5), int32(value.value));
    case "party":
      return concatBytes(Uint8Array.of(6), text(value.value));
    case "text":
      return concatBytes(Uint8Array.of(7), text(value.value));
    case "contract-id":
      return concatBytes(Uint8Array.of(8), hex(value.value));
    case "optional":
      return concatBytes(Uint8Array.of(9), optional(value.value, encodeValue));
    case "list":
      return concatBytes(Uint8Array.of(10), list(value.elements, encodeValue));
    case "text-map":
      return concatBytes(
        Uint8Array.of(11),
        list(value.entries, ([key, inner]) => concatBytes(text(key), encodeValue(inner))),
      );
    case "record":
      return concatBytes(Uint8Array.of(12), optional(value.id, identifier), list(value.fields, encodeField));
    case "variant":
      return concatBytes(
        Uint8Array.of(13),
        optional(value.id, identifier),
        text(value.constructorName),
        encodeValue(value.value),
      );
    case "enum":
      return concatBytes(Uint8Array.of(14), optional(value.id, identifier), text(value.constructorName));
    case "gen-map":
      return concatBytes(
        Uint8Array.of(15),
        list(value.entries, ([key, inner]) => concatBytes(encodeValue(key), encodeValue(inner))),
      );
  }
}

function encodeField([label, value]: DamlField): Uint8Array {
  return concatBytes(optional(label === "" ? undefined : label, text), encodeValue(value));
}

function identifier(id: string): Uint8Array {
  const [packageId = "", moduleName = "", entityName = ""] = id.split(":");
  return concatBytes(text(packageId), list(moduleName.split("."), text), list(entityName.split("."), text));
}

function list<Element>(elements: readonly Element[], encode: (element: Element) => Uint8Array): Uint8Array {
  return concatBytes(int32(elements.length), ...elements.map((element) => encode(element)));
}

function optional<Value>(value: Value | undefined, encode: (value: Value) => Uint8Array): Uint8Array {
  return value === undefined ? Uint8Array.of(0) : concatBytes(Uint8Array.of(1), encode(value));
}

function bool(value: boolean): Uint8Array {
  return Uint8Array.of(value ? 1 : 0);
}

function text(value: string): Uint8Array {
  return framed(utf8ToBytes(value));
}

function hex(value: string): Uint8Array {
  return framed(hexToBytes(value));
}

function framed(bytes: Uint8Array): Uint8Array {
  return concatBytes(int32(bytes.length), bytes);
}

function int32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value);
  return bytes;
}

function int64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt.asIntN(64, value));
  return bytes;
}
