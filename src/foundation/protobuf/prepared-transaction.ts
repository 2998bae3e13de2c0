import { base64OfBytes, bytesOfBase64 } from "../text/base64.ts";
import { type Fields, readFields } from "./_fields.ts";
import { Message } from "./_message.ts";
import { type DamlValue, decodeIdentifier, decodeValue, encodeIdentifier, encodeValue, hexId } from "./daml-value.ts";

// A PreparedTransaction (com.daml.ledger.api.v2.interactive): what an external party signs.

/** A prepared transaction; absent parts are undefined. Times are microseconds since the epoch. */
export interface PreparedTransaction {
  readonly transaction: DamlTransaction | undefined;
  readonly metadata: PreparedMetadata | undefined;
}

export interface PreparedMetadata {
  readonly actAs: readonly string[];
  readonly commandId: string;
  readonly synchronizerId: string;
  readonly mediatorGroup: number;
  readonly transactionUuid: string;
  readonly preparationTimeMicros: bigint;
  readonly minLedgerTimeMicros: bigint | undefined;
  readonly maxLedgerTimeMicros: bigint | undefined;
  readonly maxRecordTimeMicros: bigint | undefined;
  readonly inputContracts: readonly InputContract[];
}

/** An input contract of the transaction, as it was created. */
export interface InputContract {
  readonly contract: CreateNode;
  readonly createdAtMicros: bigint;
  readonly eventBlob: Uint8Array;
}

/** A transaction as a forest of nodes by id. */
export interface DamlTransaction {
  readonly version: string;
  readonly roots: readonly string[];
  readonly nodes: ReadonlyMap<string, TransactionNode>;
  /** By node id: 32 bytes each, for creates and exercises. */
  readonly seeds: ReadonlyMap<string, Uint8Array>;
}

export type TransactionNode = CreateNode | ExerciseNode | FetchNode | RollbackNode;

/** The contract data in a node. `templateId` is package:module:entity. */
interface ContractOfNode {
  readonly lfVersion: string;
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId: string;
  readonly signatories: readonly string[];
  readonly stakeholders: readonly string[];
}

export interface CreateNode extends ContractOfNode {
  readonly type: "create";
  readonly argument: DamlValue;
}

export interface ExerciseNode extends ContractOfNode {
  readonly type: "exercise";
  readonly interfaceId: string | undefined;
  readonly choice: string;
  readonly argument: DamlValue;
  readonly actingParties: readonly string[];
  readonly isConsuming: boolean;
  readonly children: readonly string[];
  readonly result: DamlValue | undefined;
  readonly choiceObservers: readonly string[];
}

interface FetchNode extends ContractOfNode {
  readonly type: "fetch";
  readonly interfaceId: string | undefined;
  readonly actingParties: readonly string[];
}

interface RollbackNode {
  readonly type: "rollback";
  readonly children: readonly string[];
}

/** Standard base64 of the protobuf. */
export function encodePreparedTransaction({ transaction, metadata }: PreparedTransaction): string {
  const message = new Message()
    .message(1, transaction === undefined ? undefined : encodeTransaction(transaction))
    .message(2, metadata === undefined ? undefined : encodeMetadata(metadata));
  return base64OfBytes(message.finish());
}

/** Decodes a prepared transaction from standard base64; undefined for an invalid protobuf. */
export function decodePreparedTransaction(base64: string): PreparedTransaction | undefined {
  const bytes = bytesOfBase64(base64);
  if (bytes === undefined) return undefined;
  try {
    const prepared = readFields(bytes);
    const [transaction, metadata] = [prepared.message(1), prepared.message(2)];
    return {
      transaction: transaction === undefined ? undefined : decodeTransaction(transaction),
      metadata: metadata === undefined ? undefined : decodeMetadata(metadata),
    };
  } catch {
    return undefined;
  }
}

function encodeTransaction({ version, roots, nodes, seeds }: DamlTransaction): Uint8Array {
  const encodedNodes = [...nodes].map(([id, node]) => new Message().text(1, id).bytes(1000, encodeNode(node)).finish());
  const encodedSeeds = [...seeds].map(([id, seed]) => {
    const number = Number(id);
    return new Message()
      .varint(1, number === 0 ? undefined : number)
      .bytes(2, seed)
      .finish();
  });
  return new Message().text(1, version).texts(2, roots).messages(3, encodedNodes).messages(4, encodedSeeds).finish();
}

function encodeNode(node: TransactionNode): Uint8Array {
  switch (node.type) {
    case "create":
      return new Message().bytes(1, encodeCreate(node)).finish();
    case "fetch":
      return new Message().bytes(2, encodeFetch(node)).finish();
    case "exercise":
      return new Message().bytes(3, encodeExercise(node)).finish();
    case "rollback":
      return new Message().bytes(4, new Message().texts(1, node.children).finish()).finish();
  }
}

function contractFields({ lfVersion, contractId, packageName, templateId }: ContractOfNode): Message {
  return new Message()
    .text(1, lfVersion)
    .text(2, contractId)
    .text(3, packageName)
    .bytes(4, encodeIdentifier(templateId));
}

function encodeCreate(node: CreateNode): Uint8Array {
  return contractFields(node)
    .bytes(5, encodeValue(node.argument))
    .texts(6, node.signatories)
    .texts(7, node.stakeholders)
    .finish();
}

function encodeFetch(node: FetchNode): Uint8Array {
  return contractFields(node)
    .texts(5, node.signatories)
    .texts(6, node.stakeholders)
    .texts(7, node.actingParties)
    .message(8, node.interfaceId === undefined ? undefined : encodeIdentifier(node.interfaceId))
    .finish();
}

function encodeExercise(node: ExerciseNode): Uint8Array {
  return contractFields(node)
    .texts(5, node.signatories)
    .texts(6, node.stakeholders)
    .texts(7, node.actingParties)
    .message(8, node.interfaceId === undefined ? undefined : encodeIdentifier(node.interfaceId))
    .text(9, node.choice)
    .bytes(10, encodeValue(node.argument))
    .varint(11, node.isConsuming || undefined)
    .texts(12, node.children)
    .message(13, node.result === undefined ? undefined : encodeValue(node.result))
    .texts(14, node.choiceObservers)
    .finish();
}

function encodeMetadata(metadata: PreparedMetadata): Uint8Array {
  const submitter = new Message().texts(1, metadata.actAs).text(2, metadata.commandId).finish();
  const inputs = metadata.inputContracts.map(({ contract, createdAtMicros, eventBlob }) =>
    new Message().bytes(1, encodeCreate(contract)).varint(1000, createdAtMicros).bytes(1002, eventBlob).finish(),
  );
  return new Message()
    .bytes(2, submitter)
    .text(3, metadata.synchronizerId)
    .varint(4, metadata.mediatorGroup || undefined)
    .text(5, metadata.transactionUuid)
    .varint(6, metadata.preparationTimeMicros)
    .messages(7, inputs)
    .varint(9, metadata.minLedgerTimeMicros)
    .varint(10, metadata.maxLedgerTimeMicros)
    .varint(11, metadata.maxRecordTimeMicros)
    .finish();
}

function decodeTransaction(transaction: Fields): DamlTransaction {
  const nodes = transaction.bytes(3).map(readFields);
  const seeds = transaction.bytes(4).map(readFields);
  return {
    version: transaction.text(1),
    roots: transaction.texts(2),
    nodes: new Map(nodes.map((node) => [node.text(1), decodeNode(node.message(1000))])),
    seeds: new Map(seeds.map((seed) => [String(seed.integer(1)), seed.bytes(2).at(-1) ?? new Uint8Array()])),
  };
}

function decodeNode(node: Fields | undefined): TransactionNode {
  const [create, fetch, exercise] = [node?.message(1), node?.message(2), node?.message(3)];
  if (create !== undefined) return decodeCreate(create);
  if (fetch !== undefined)
    return {
      type: "fetch",
      ...contractOf(fetch, 5),
      interfaceId: decodeIdentifier(fetch.message(8)),
      actingParties: fetch.texts(7),
    };
  if (exercise !== undefined) return decodeExercise(exercise);
  const rollback = node?.message(4);
  if (rollback === undefined) throw new RangeError("the node has no kind");
  return { type: "rollback", children: rollback.texts(1) };
}

function contractOf(node: Fields, signatoriesField: number): ContractOfNode {
  return {
    lfVersion: node.text(1),
    contractId: hexId(node.text(2)),
    packageName: node.text(3),
    templateId: decodeIdentifier(node.message(4)) ?? "",
    signatories: node.texts(signatoriesField),
    stakeholders: node.texts(signatoriesField + 1),
  };
}

function decodeCreate(node: Fields): CreateNode {
  return { type: "create", ...contractOf(node, 6), argument: decodeValue(node.message(5)) };
}

function decodeExercise(node: Fields): ExerciseNode {
  return {
    type: "exercise",
    ...contractOf(node, 5),
    interfaceId: decodeIdentifier(node.message(8)),
    choice: node.text(9),
    argument: decodeValue(node.message(10)),
    actingParties: node.texts(7),
    isConsuming: node.integer(11) !== 0n,
    children: node.texts(12),
    result: node.has(13) ? decodeValue(node.message(13)) : undefined,
    choiceObservers: node.texts(14),
  };
}

function decodeMetadata(metadata: Fields): PreparedMetadata {
  const submitter = metadata.message(2);
  return {
    actAs: submitter?.texts(1) ?? [],
    commandId: submitter?.text(2) ?? "",
    synchronizerId: metadata.text(3),
    mediatorGroup: Number(metadata.integer(4)),
    transactionUuid: metadata.text(5),
    preparationTimeMicros: metadata.integer(6),
    minLedgerTimeMicros: optionalInteger(metadata, 9),
    maxLedgerTimeMicros: optionalInteger(metadata, 10),
    maxRecordTimeMicros: optionalInteger(metadata, 11),
    inputContracts: metadata.bytes(7).map(readFields).map(decodeInput),
  };
}

function decodeInput(input: Fields): InputContract {
  const contract = input.message(1);
  if (contract === undefined) throw new RangeError("the input contract is missing");
  return {
    contract: decodeCreate(contract),
    createdAtMicros: input.integer(1000),
    eventBlob: input.bytes(1002).at(-1) ?? new Uint8Array(),
  };
}

function optionalInteger(fields: Fields, field: number): bigint | undefined {
  return fields.has(field) ? fields.integer(field) : undefined;
}
