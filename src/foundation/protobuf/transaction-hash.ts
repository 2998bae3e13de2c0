import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { joined, type Parts } from "./_joined.ts";
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

export type HashingScheme = "V2" | "V3" | "V4";

const purpose = int32(48);
const schemeNumbers: Readonly<Record<HashingScheme, number>> = { V2: 2, V3: 3, V4: 4 };

/** The hash, 32 bytes. Throws RangeError if a referenced node is missing or a contract id is not hex. */
export function preparedTransactionHash(prepared: PreparedTransaction, scheme: HashingScheme): Uint8Array {
  const { transaction, metadata } = prepared;
  if (transaction === undefined || metadata === undefined) throw new RangeError("transaction or metadata is missing");
  return sha256(
    joined([
      purpose,
      Uint8Array.of(schemeNumbers[scheme]),
      sha256(joined([purpose, encodeTransaction(transaction, scheme)])),
      sha256(joined([purpose, encodeMetadata(metadata, scheme)])),
    ]),
  );
}

function encodeTransaction(transaction: DamlTransaction, scheme: HashingScheme): Parts {
  return parts(
    text(transaction.version),
    list(transaction.roots, (id) => nodeHash(transaction, id, scheme)),
  );
}

function nodeHash(transaction: DamlTransaction, id: string, scheme: HashingScheme): Uint8Array {
  const node = transaction.nodes.get(id);
  if (node === undefined) throw new RangeError(`node ${id} does not exist`);
  return sha256(joined(encodeNode(transaction, id, node, scheme)));
}

/**
 * Scheme V2 writes a version before each node; V3 writes contract keys, which are always absent here. The form of V4 is not
 * published; without external calls it is written like V3.
 */
function encodeNode(transaction: DamlTransaction, id: string, node: TransactionNode, scheme: HashingScheme): Parts {
  const version = scheme === "V2" ? Uint8Array.of(1) : new Uint8Array();
  const children = (ids: readonly string[]) => list(ids, (child) => nodeHash(transaction, child, scheme));
  const byKey = scheme === "V2" ? new Uint8Array() : Uint8Array.of(0, 0);
  const seed = transaction.seeds.get(id);
  switch (node.type) {
    case "create":
      return encodeCreate(node, seed, scheme);
    case "exercise":
      return parts(
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
      return parts(
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
      return parts(version, Uint8Array.of(3), children(node.children));
  }
}

function encodeCreate(node: CreateNode, seed: Uint8Array | undefined, scheme: HashingScheme): Parts {
  return parts(
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

function contract(node: Pick<CreateNode, "contractId" | "packageName" | "templateId">): Parts {
  return parts(hex(node.contractId), text(node.packageName), identifier(node.templateId));
}

function parties(node: Pick<CreateNode, "signatories" | "stakeholders">): Parts {
  return parts(list(node.signatories, text), list(node.stakeholders, text));
}

function encodeMetadata(metadata: PreparedMetadata, scheme: HashingScheme): Parts {
  return parts(
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

function encodeInput({ createdAtMicros, contract: created }: InputContract, scheme: HashingScheme): Parts {
  return parts(int64(createdAtMicros), sha256(joined(encodeCreate(created, undefined, scheme))));
}

function encodeValue(value: DamlValue): Parts {
  switch (value.type) {
    case "unit":
      return Uint8Array.of(0);
    case "bool":
      return parts(Uint8Array.of(1), bool(value.value));
    case "int64":
      return parts(Uint8Array.of(2), int64(value.value));
    case "numeric":
      return parts(Uint8Array.of(3), text(value.value));
    case "timestamp":
      return parts(Uint8Array.of(4), int64(value.value));
    case "date":
      return parts(Uint8Array.of(5), int32(value.value));
    case "party":
      return parts(Uint8Array.of(6), text(value.value));
    case "text":
      return parts(Uint8Array.of(7), text(value.value));
    case "contract-id":
      return parts(Uint8Array.of(8), hex(value.value));
    case "optional":
      return parts(Uint8Array.of(9), optional(value.value, encodeValue));
    case "list":
      return parts(Uint8Array.of(10), list(value.elements, encodeValue));
    case "text-map":
      return parts(
        Uint8Array.of(11),
        list(value.entries, ([key, inner]) => parts(text(key), encodeValue(inner))),
      );
    case "record":
      return parts(Uint8Array.of(12), optional(value.id, identifier), list(value.fields, encodeField));
    case "variant":
      return parts(
        Uint8Array.of(13),
        optional(value.id, identifier),
        text(value.constructorName),
        encodeValue(value.value),
      );
    case "enum":
      return parts(Uint8Array.of(14), optional(value.id, identifier), text(value.constructorName));
    case "gen-map":
      return parts(
        Uint8Array.of(15),
        list(value.entries, ([key, inner]) => parts(encodeValue(key), encodeValue(inner))),
      );
  }
}

function encodeField([label, value]: DamlField): Parts {
  return parts(optional(label === "" ? undefined : label, text), encodeValue(value));
}

function identifier(id: string): Parts {
  const [packageId = "", moduleName = "", entityName = ""] = id.split(":");
  return parts(text(packageId), list(moduleName.split("."), text), list(entityName.split("."), text));
}

function list<Element>(elements: readonly Element[], encode: (element: Element) => Parts): Parts {
  return [int32(elements.length), elements.map((element) => encode(element))];
}

function optional<Value>(value: Value | undefined, encode: (value: Value) => Parts): Parts {
  return value === undefined ? Uint8Array.of(0) : parts(Uint8Array.of(1), encode(value));
}

/** Parts are joined once, when they are hashed, so that nesting does not multiply the work. */
function parts(...all: readonly Parts[]): Parts {
  return all;
}

function bool(value: boolean): Uint8Array {
  return Uint8Array.of(value ? 1 : 0);
}

function text(value: string): Parts {
  return framed(utf8ToBytes(value));
}

function hex(value: string): Parts {
  return framed(hexToBytes(value));
}

function framed(bytes: Uint8Array): Parts {
  return parts(int32(bytes.length), bytes);
}

function int32(value: number): Uint8Array {
  return Uint8Array.of(value >> 24, value >> 16, value >> 8, value);
}

function int64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt.asIntN(64, value));
  return bytes;
}
