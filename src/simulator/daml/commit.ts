import { sha256OfText } from "../../foundation/crypto/sha256.ts";
import { encodeCreatedEventBlob, encodeTextRecord } from "../../foundation/protobuf/created-event-blob.ts";
import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { CreateNode, DamlTransaction, ExerciseNode } from "../../foundation/protobuf/prepared-transaction.ts";
import type { LedgerContract, UpdateEvent } from "../ledger/ledger-state.ts";
import { jsonOfValue } from "./daml-json.ts";
import type { KnownContract } from "./transaction-builder.ts";

/** Values that committing adds to a transaction. */
interface Commitment {
  readonly updateId: string;
  readonly offset: bigint;
  readonly committedAtMicros: bigint;
  /** The contract with this id on the ledger before the transaction. */
  contract(contractId: string): LedgerContract | undefined;
}

type Committed =
  | { readonly type: "committed"; readonly events: readonly UpdateEvent[] }
  /** A consumed contract is not active. */
  | { readonly type: "missing"; readonly contractId: string };

/** Events and contracts of a transaction. Created contracts get their final ids, also inside values. */
export function committed(transaction: DamlTransaction, commitment: Commitment): Committed {
  const run = new Run(transaction, commitment);
  for (const root of transaction.roots) run.visit(root);
  return run.missing === undefined
    ? { type: "committed", events: run.events }
    : { type: "missing", contractId: run.missing };
}

class Run {
  readonly events: UpdateEvent[] = [];
  missing: string | undefined;
  readonly #transaction: DamlTransaction;
  readonly #commitment: Commitment;
  readonly #created = new Map<string, LedgerContract>();
  readonly #consumed = new Set<string>();
  readonly #finalIds: ReadonlyMap<string, string>;

  constructor(transaction: DamlTransaction, commitment: Commitment) {
    this.#transaction = transaction;
    this.#commitment = commitment;
    const creates = [...transaction.nodes.values()].filter((node) => node.type === "create");
    this.#finalIds = new Map(
      creates.map(({ contractId }) => [contractId, finalContractId(contractId, commitment.updateId)]),
    );
  }

  /** Gives the highest node id in the subtree of the node; an unknown node has no effect. */
  visit(id: string): number {
    const node = this.#transaction.nodes.get(id);
    switch (node?.type) {
      case "create":
        this.#create(Number(id), node);
        return Number(id);
      case "exercise":
        return this.#exercise(Number(id), node);
      case "fetch":
        this.#contractOf(this.#finalId(node.contractId));
        return Number(id);
      default:
        // A rollback node leaves no events.
        return Number(id);
    }
  }

  #create(nodeId: number, node: CreateNode): void {
    const { offset, committedAtMicros } = this.#commitment;
    const contract = ledgerContract(
      {
        ...node,
        contractId: this.#finalId(node.contractId),
        argument: this.#final(node.argument),
        observers: node.stakeholders.filter((party) => !node.signatories.includes(party)),
      },
      { offset, nodeId, createdAtMicros: committedAtMicros },
    );
    this.#created.set(contract.contractId, contract);
    this.events.push({ type: "created", nodeId, contract });
  }

  #exercise(nodeId: number, node: ExerciseNode): number {
    const contract = this.#contractOf(this.#finalId(node.contractId));
    if (contract === undefined) return nodeId;
    if (node.isConsuming) this.#consumed.add(contract.contractId);
    const place = this.events.length;
    const last = node.children.reduce((highest, child) => Math.max(highest, this.visit(child)), nodeId);
    this.events.splice(place, 0, {
      type: "exercised",
      nodeId,
      lastDescendantNodeId: last,
      contract,
      interfaceId: node.interfaceId,
      choice: node.choice,
      argument: this.#final(node.argument),
      actingParties: node.actingParties,
      isConsuming: node.isConsuming,
      result: node.result === undefined ? undefined : this.#final(node.result),
    });
    return last;
  }

  #contractOf(contractId: string): LedgerContract | undefined {
    const contract = this.#created.get(contractId) ?? this.#commitment.contract(contractId);
    if (contract === undefined || this.#consumed.has(contractId)) this.missing ??= contractId;
    return this.#consumed.has(contractId) ? undefined : contract;
  }

  #finalId(contractId: string): string {
    return this.#finalIds.get(contractId) ?? contractId;
  }

  /** A value without ids of created contracts is shared with the transaction. */
  #final(value: DamlValue): DamlValue {
    return hasContractId(value, this.#finalIds) ? withContractIds(value, (id) => this.#finalId(id)) : value;
  }
}

/** The id of a contract on the ledger: its suffix authenticates the create arguments. */
export function finalContractId(contractId: string, purpose: string): string {
  return `${contractId}ca121220${sha256OfText(`${purpose}/${contractId}`)}`;
}

/** A ledger contract. Its createdEventBlob is encoded when it is first read: that of most contracts is not. */
export function ledgerContract(contract: KnownContract, created: Creation): LedgerContract {
  const { contractId, templateId, packageName, argument, signatories, observers } = contract;
  const named = { contractId, templateId, packageName, argument, signatories, observers };
  defineBlob(named);
  return Object.assign(named, created);
}

type Creation = Pick<LedgerContract, "offset" | "nodeId" | "createdAtMicros">;
type WithBlob = Pick<LedgerContract, "createdEventBlob">;

/**
 * Defines the member, which is not read before the rest of the contract is there. One getter for all contracts: with a getter of
 * its own, a contract takes seven times the memory in V8.
 */
function defineBlob<Named extends object>(named: Named): asserts named is Named & WithBlob {
  Object.defineProperty(named, "createdEventBlob", blobWhenRead);
}

const blobWhenRead = {
  enumerable: true,
  configurable: true,
  get(this: LedgerContract): string {
    const value = blobOf(this);
    Object.defineProperty(this, "createdEventBlob", { value });
    return value;
  },
};

function blobOf(contract: LedgerContract): string {
  const { contractId, templateId, packageName, argument, signatories, createdAtMicros } = contract;
  const createArgument = encodeTextRecord(textsIn(jsonOfValue(argument)));
  return encodeCreatedEventBlob({
    contractId,
    packageName,
    templateId,
    signatories,
    createdAtMicros,
    createArgument,
  });
}

function textsIn(json: unknown): readonly string[] {
  return typeof json === "object" && json !== null
    ? Object.values(json).filter((value) => typeof value === "string")
    : [];
}

/** Whether a value has one of these contract ids. */
function hasContractId(value: DamlValue, ids: ReadonlyMap<string, unknown>): boolean {
  const isIn = (one: DamlValue) => hasContractId(one, ids);
  switch (value.type) {
    case "contract-id":
      return ids.has(value.value);
    case "optional":
      return value.value !== undefined && isIn(value.value);
    case "list":
      return value.elements.some(isIn);
    case "text-map":
      return value.entries.some(([, entry]) => isIn(entry));
    case "gen-map":
      return value.entries.some(([key, entry]) => isIn(key) || isIn(entry));
    case "record":
      return value.fields.some(([, field]) => isIn(field));
    case "variant":
      return isIn(value.value);
    default:
      return false;
  }
}

function withContractIds(value: DamlValue, replace: (id: string) => string): DamlValue {
  const inner = (one: DamlValue) => withContractIds(one, replace);
  switch (value.type) {
    case "contract-id":
      return { type: "contract-id", value: replace(value.value) };
    case "optional":
      return value.value === undefined ? value : { ...value, value: inner(value.value) };
    case "list":
      return { type: "list", elements: value.elements.map(inner) };
    case "text-map":
      return { type: "text-map", entries: value.entries.map(([key, entry]) => [key, inner(entry)]) };
    case "gen-map":
      return { type: "gen-map", entries: value.entries.map(([key, entry]) => [inner(key), inner(entry)]) };
    case "record":
      return { ...value, fields: value.fields.map(([label, field]) => [label, inner(field)]) };
    case "variant":
      return { ...value, value: inner(value.value) };
    default:
      return value;
  }
}
