import { hexToBytes } from "@noble/hashes/utils.js";
import { seededHex } from "../../foundation/crypto/seeded-hex.ts";
import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { CreateNode, DamlTransaction, TransactionNode } from "../../foundation/protobuf/prepared-transaction.ts";
import type { LedgerContract } from "../ledger/ledger-state.ts";

/** A contract to create. Stakeholders are the signatories, then the observers. */
export interface NewContract {
  readonly templateId: string;
  readonly packageName: string;
  readonly argument: DamlValue;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
}

/** A contract on which a choice is exercised: from the ledger, or created earlier in this transaction. */
export interface KnownContract extends NewContract {
  readonly contractId: string;
}

interface Exercise {
  readonly contract: KnownContract;
  readonly interfaceId: string | undefined;
  readonly choice: string;
  readonly argument: DamlValue;
  readonly actingParties: readonly string[];
  readonly isConsuming: boolean;
}

const lfVersion = "2.1";

/** Builds a transaction node by node, in execution order. Ids and seeds derive from `seed`. */
export class TransactionBuilder {
  readonly #seed: string;
  readonly #nodes = new Map<string, TransactionNode>();
  readonly #seeds = new Map<string, Uint8Array>();
  readonly #created = new Map<string, KnownContract>();
  readonly #consumed = new Set<string>();
  readonly #inputs = new Map<string, LedgerContract>();
  #siblings: string[] = [];
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Creates a contract and gives its id. Committing the transaction appends the id's suffix. */
  create(contract: NewContract): string {
    const id = this.#begin();
    const contractId = `00${seededHex(this.#seed, `contract ${id}`, 0, 64)}`;
    this.#nodes.set(id, {
      type: "create",
      ...this.#contractOf({ ...contract, contractId }),
      argument: contract.argument,
    });
    this.#created.set(contractId, { ...contract, contractId });
    return contractId;
  }

  /** Exercises a choice. `inside` adds the nodes below it and gives its result. */
  exercise(exercise: Exercise, inside: () => DamlValue): DamlValue {
    const id = this.#begin();
    const outer = this.#siblings;
    this.#siblings = [];
    if (exercise.isConsuming) this.#consumed.add(exercise.contract.contractId);
    // Reserves the position before the children: ids ascend in the order of the map.
    this.#nodes.set(id, { type: "rollback", children: [] });
    const result = inside();
    const { contract, ...how } = exercise;
    const children = this.#siblings;
    const node = {
      type: "exercise",
      ...this.#contractOf(contract),
      ...how,
      children,
      result,
      choiceObservers: [],
    } as const;
    this.#nodes.set(id, node);
    this.#siblings = outer;
    return result;
  }

  /** Adds a contract of the ledger to the inputs of the transaction. */
  use(contract: LedgerContract): void {
    this.#inputs.set(contract.contractId, contract);
  }

  isConsumed(contractId: string): boolean {
    return this.#consumed.has(contractId);
  }

  created(contractId: string): KnownContract | undefined {
    return this.#created.get(contractId);
  }

  get inputs(): readonly LedgerContract[] {
    return [...this.#inputs.values()].sort((left, right) => (left.contractId < right.contractId ? -1 : 1));
  }

  /** The id of the node that is added next. */
  get nextNodeId(): number {
    return this.#count;
  }

  transaction(): DamlTransaction {
    return { version: lfVersion, roots: this.#siblings, nodes: this.#nodes, seeds: this.#seeds };
  }

  #begin(): string {
    const id = String(this.#count);
    this.#count += 1;
    this.#siblings.push(id);
    this.#seeds.set(id, hexToBytes(seededHex(this.#seed, `node ${id}`, 0, 64)));
    return id;
  }

  #contractOf({
    contractId,
    templateId,
    packageName,
    signatories,
    observers,
  }: KnownContract): Omit<CreateNode, "type" | "argument"> {
    const stakeholders = [...new Set([...signatories, ...observers])].sort();
    return { lfVersion, contractId, packageName, templateId, signatories: [...signatories].sort(), stakeholders };
  }
}
