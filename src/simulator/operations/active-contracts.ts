import { differencesOf } from "../../foundation/table/differences.ts";
import { type Table, tableOf } from "../../foundation/table/table.ts";
import { type LedgerContract, offsetKey } from "../ledger/ledger-state.ts";

/** With more differences the index is built anew. */
const differencesMaxDefault = 10_000;

/** A party; undefined stands for any party. */
type Stakeholder = string | undefined;

/**
 * An index of active contracts: by stakeholder, in the order of creation. It follows the table of contracts of a request by
 * the differences from that of the last request, so a request costs what has changed since then, and not what there is.
 */
export class ActiveContracts {
  #contracts: Table<LedgerContract> = noContracts;
  #byStakeholder = new Map<Stakeholder, Table<LedgerContract>>();
  readonly #differencesMax: number;

  constructor(differencesMax: number = differencesMaxDefault) {
    this.#differencesMax = differencesMax;
  }

  /** The contracts of a stakeholder, by `creationKey`. */
  of(stakeholder: Stakeholder, contracts: Table<LedgerContract>): Table<LedgerContract> {
    this.#follow(contracts);
    return this.#byStakeholder.get(stakeholder) ?? noContracts;
  }

  #follow(contracts: Table<LedgerContract>): void {
    const differences = differencesOf(this.#contracts, contracts, this.#differencesMax);
    if (differences.length >= this.#differencesMax) this.#byStakeholder = indexOf(contracts.values());
    else
      for (const { before, after } of differences) {
        if (before !== undefined) this.#change(before, (table, key) => table.without(key));
        if (after !== undefined) this.#change(after, (table, key) => table.with(key, after, true));
      }
    this.#contracts = contracts;
  }

  #change(
    contract: LedgerContract,
    change: (table: Table<LedgerContract>, key: string) => Table<LedgerContract>,
  ): void {
    const key = creationKey(contract);
    for (const stakeholder of indexedFor(contract)) {
      const changed = change(this.#byStakeholder.get(stakeholder) ?? noContracts, key);
      if (changed.size === 0) this.#byStakeholder.delete(stakeholder);
      else this.#byStakeholder.set(stakeholder, changed);
    }
  }
}

const noContracts: Table<LedgerContract> = tableOf<LedgerContract>([]);

/** Contracts in the order of their creation. Other worlds may have other contracts with the same offset and node. */
export function creationKey({ offset, nodeId, contractId }: LedgerContract): string {
  return `${offsetKey(offset)} ${String(nodeId).padStart(10, "0")} ${contractId}`;
}

function indexOf(contracts: Iterable<LedgerContract>): Map<Stakeholder, Table<LedgerContract>> {
  const rows = new Map<Stakeholder, (readonly [string, LedgerContract])[]>();
  for (const contract of contracts) {
    const row = [creationKey(contract), contract] as const;
    for (const stakeholder of indexedFor(contract)) {
      const known = rows.get(stakeholder);
      if (known === undefined) rows.set(stakeholder, [row]);
      else known.push(row);
    }
  }
  return new Map([...rows].map(([stakeholder, each]) => [stakeholder, tableOf(each)]));
}

function indexedFor({ signatories, observers }: LedgerContract): readonly Stakeholder[] {
  return [undefined, ...new Set([...signatories, ...observers])];
}

/** The rows of several tables in the order of their keys; a row of more than one table comes once. */
export function* inOrder<Row>(tables: readonly Table<Row>[]): IterableIterator<Row> {
  let last: string | undefined;
  for (;;) {
    let next: [string, Row] | undefined;
    for (const table of tables) {
      const pair = table.nextHigherPair(last);
      if (pair !== undefined && (next === undefined || pair[0] < next[0])) next = pair;
    }
    if (next === undefined) return;
    last = next[0];
    yield next[1];
  }
}
