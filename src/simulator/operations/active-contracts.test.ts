import { expect, test } from "vitest";
import { type Table, tableOf } from "../../foundation/table/table.ts";
import type { LedgerContract } from "../ledger/ledger-state.ts";
import { ActiveContracts, creationKey, inOrder } from "./active-contracts.ts";

const parties = ["alice", "bob", "carol"];

/** The nth contract; parties and the order of ids differ from the order of creation. */
function contract(nth: number): LedgerContract {
  const at = (place: number) => parties[place % parties.length] ?? "";
  return {
    contractId: `${(nth * 7919) % 1009}-${nth}`,
    templateId: "p:M:T",
    packageName: "p",
    argument: { type: "unit" },
    signatories: [at(nth)],
    observers: nth % 2 === 0 ? [at(nth + 1), at(nth)] : [],
    createdAtMicros: 0n,
    offset: BigInt(Math.floor(nth / 3)),
    nodeId: nth % 3,
    createdEventBlob: "",
  };
}

type Contracts = Table<LedgerContract>;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => contract(from + index));
const tableWith = (contracts: readonly LedgerContract[]): Contracts =>
  tableOf(contracts.map((each) => [each.contractId, each]));
const grown = (contracts: Contracts, more: readonly LedgerContract[]): Contracts =>
  more.reduce((table, each) => table.with(each.contractId, each, true), contracts);
const shrunk = (contracts: Contracts, fewer: readonly LedgerContract[]): Contracts =>
  fewer.reduce((table, { contractId }) => table.without(contractId), contracts);

/** The plain way: all contracts are filtered and sorted. */
function sorted(party: string | undefined, contracts: Contracts): readonly LedgerContract[] {
  return [...contracts.values()]
    .filter(({ signatories, observers }) => party === undefined || [...signatories, ...observers].includes(party))
    .sort((left, right) => Number(left.offset - right.offset) || left.nodeId - right.nodeId);
}

function expectSame(index: ActiveContracts, contracts: Contracts): void {
  for (const party of [...parties, undefined, "nobody"])
    expect([...index.of(party, contracts).values()]).toEqual(sorted(party, contracts));
}

test.each([
  ["by differences", 10_000],
  ["anew after many differences", 5],
])("lists the contracts of a party in the order of creation, followed %s", (_name, differencesMax) => {
  const index = new ActiveContracts(differencesMax);
  const start = tableWith(range(0, 40));
  const later = shrunk(grown(start, range(40, 60)), range(10, 30));
  const fork = shrunk(grown(start, range(70, 72)), range(0, 3));
  // Worlds take turns; some are earlier states of others, and one is unrelated.
  for (const contracts of [start, later, fork, start, tableWith(range(100, 120)), later, tableWith([]), fork])
    expectSame(index, contracts);
});

test("a contract that another world created at the same offset and node replaces none", () => {
  const index = new ActiveContracts();
  const tables = ["a", "b", "c"].map((world) =>
    tableWith(range(0, 10).map((each, nth) => ({ ...each, contractId: `${(nth * 7) % 10}-${world}` }))),
  );
  for (const contracts of [...tables, ...tables.toReversed(), ...tables]) expectSame(index, contracts);
});

test("a contract that replaces another under its id is listed in its place", () => {
  const index = new ActiveContracts();
  const start = tableWith(range(0, 5));
  expectSame(index, start);
  const replaced = { ...contract(7), contractId: contract(2).contractId };
  expectSame(index, grown(start, [replaced]));
});

test("merges tables by key and lists a row of several once", () => {
  const byKey = (contracts: readonly LedgerContract[]) => tableOf(contracts.map((each) => [creationKey(each), each]));
  const tables = [byKey(range(3, 9)), byKey([...range(0, 5), contract(20)]), byKey([])];
  expect([...inOrder(tables)]).toEqual([...range(0, 9), contract(20)]);
});
