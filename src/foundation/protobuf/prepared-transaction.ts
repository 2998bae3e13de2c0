import {
  type Encoded,
  encoded,
  field,
  fromBase64,
  message,
  optional,
  pair,
  repeated,
  required,
  union,
} from "./_message.ts";
import { bool, bytes, converted, convertedScalar, int32, string, type Type, uint32, uint64 } from "./_wire-types.ts";
import { contractIdText, type DamlValue, identifierMessage, valueMessage } from "./daml-value.ts";
import { FieldBudget } from "./field-budget.ts";

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
export function encodePreparedTransaction(prepared: PreparedTransaction): string {
  return encodedPreparedTransaction(prepared).base64;
}

/** The protobuf, and whether `decodePreparedTransaction` gives the same transaction. */
export function encodedPreparedTransaction(prepared: PreparedTransaction): Encoded {
  return encoded(preparedMessage, prepared);
}

/** Decodes a prepared transaction from standard base64; undefined for an invalid protobuf. */
export function decodePreparedTransaction(
  base64: string,
  budget: FieldBudget = new FieldBudget(),
): PreparedTransaction | undefined {
  return fromBase64(preparedMessage, base64, budget);
}

/** The UUID of a prepared transaction in standard base64, without decoding the rest; empty without one. */
export function uuidOfPreparedTransaction(base64: string, budget: FieldBudget): string {
  return fromBase64(uuidMessage, base64, budget)?.metadata?.transactionUuid ?? "";
}

const contractFields = {
  lfVersion: field(1, string),
  contractId: field(2, contractIdText),
  packageName: field(3, string),
  templateId: field(4, identifierMessage),
};

const createMessage = message<Omit<CreateNode, "type">>({
  ...contractFields,
  argument: field(5, valueMessage),
  signatories: repeated(6, string),
  stakeholders: repeated(7, string),
});

const partiesAndInterface = {
  signatories: repeated(5, string),
  stakeholders: repeated(6, string),
  actingParties: repeated(7, string),
  interfaceId: optional(8, identifierMessage),
};

const nodeMessage = union<TransactionNode>(
  {
    create: required(1, createMessage),
    fetch: required(2, message({ ...contractFields, ...partiesAndInterface })),
    exercise: required(
      3,
      message({
        ...contractFields,
        ...partiesAndInterface,
        choice: field(9, string),
        argument: field(10, valueMessage),
        isConsuming: field(11, bool),
        children: repeated(12, string),
        result: optional(13, valueMessage),
        choiceObservers: repeated(14, string),
      }),
    ),
    rollback: required(4, message({ children: repeated(1, string) })),
  },
  () => {
    throw new RangeError("the node has no kind");
  },
);

const transactionMessage: Type<DamlTransaction> = converted(
  message({
    version: field(1, string),
    roots: repeated(2, string),
    nodes: repeated(3, pair(field(1, string), field(1000, nodeMessage))),
    seeds: repeated(4, pair(field(1, convertedScalar(int32, String, Number)), field(2, bytes))),
  }),
  ({ nodes, seeds, ...transaction }) => ({ ...transaction, nodes: new Map(nodes), seeds: new Map(seeds) }),
  ({ roots, nodes, seeds, version }) => ({ version, roots: [...roots], nodes: [...nodes], seeds: [...seeds] }),
);

const inputMessage = message<InputContract>({
  contract: field(
    1,
    converted(
      createMessage,
      (create): CreateNode => ({ type: "create", ...create }),
      (node) => node,
    ),
  ),
  createdAtMicros: field(1000, uint64),
  eventBlob: field(1002, bytes),
});

/** The submitter is a message of its own. */
const metadataMessage: Type<PreparedMetadata> = converted(
  message({
    submitter: optional(2, message({ actAs: repeated(1, string), commandId: field(2, string) })),
    synchronizerId: field(3, string),
    mediatorGroup: field(4, uint32),
    transactionUuid: field(5, string),
    preparationTimeMicros: field(6, uint64),
    inputContracts: repeated(7, inputMessage),
    minLedgerTimeMicros: optional(9, uint64),
    maxLedgerTimeMicros: optional(10, uint64),
    maxRecordTimeMicros: optional(11, uint64),
  }),
  ({ submitter = { actAs: [], commandId: "" }, ...metadata }) => ({ ...submitter, ...metadata }),
  ({ actAs, commandId, ...metadata }) => ({ submitter: { actAs, commandId }, ...metadata }),
);

const preparedMessage = message<PreparedTransaction>({
  transaction: optional(1, transactionMessage),
  metadata: optional(2, metadataMessage),
});

const uuidMessage = message({ metadata: optional(2, message({ transactionUuid: field(5, string) })) });
