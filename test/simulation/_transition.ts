import { differencesOf, type RowDifference } from "../../src/foundation/table/differences.ts";
import type { Table } from "../../src/foundation/table/table.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";
import { must } from "./_world-state.ts";

/** Changes that are never allowed between two states of a world: some values only grow, and some entities are never removed. */
export function forbiddenBetween(before: WorldState, after: WorldState): readonly string[] {
  if (before === after) return [];
  const [was, is] = [before.ledger, after.ledger];
  return [
    ...must(after.nowMs >= before.nowMs, `time went back by ${before.nowMs - after.nowMs} ms`),
    ...must(after.counter >= before.counter, "fewer requests were counted"),
    ...must(after.seed === before.seed, "the seed changed"),
    ...must(is.participantId === was.participantId, "the participant is another one"),
    ...must(is.ledgerEnd >= was.ledgerEnd, "the ledger's end went back"),
    ...must(
      is.ledgerEnd - was.ledgerEnd === BigInt(is.updates.size - was.updates.size),
      `the ledger's end grew by ${is.ledgerEnd - was.ledgerEnd} with ${is.updates.size - was.updates.size} updates`,
    ),
    ...changed(was.updates, is.updates, (id, { before: old, after: row }) => [
      ...must(old === undefined, `the update ${id} was changed`),
      ...must((row?.offset ?? 0n) > was.ledgerEnd, `the update ${id} has an old offset`),
    ]),
    ...changed(was.users, is.users, (id, { before: old, after: row }) =>
      must(
        old === undefined || row === undefined || BigInt(row.resourceVersion) >= BigInt(old.resourceVersion),
        `the version of the user ${id} went back`,
      ),
    ),
    ...changed(was.parties, is.parties, (id, { after: row }) => must(row !== undefined, `the party ${id} went away`)),
    ...changed(was.packages, is.packages, (id, { before: old, after: row }) =>
      must(row !== undefined && (row.isUploaded || old?.isUploaded !== true), `the package ${id} went away`),
    ),
    ...changed(was.synchronizers, is.synchronizers, (id, { before: old, after: row }) => [
      ...must(row !== undefined && old !== undefined, `the synchronizer ${id} was added or removed`),
      ...must((row?.topologySerial ?? 0) >= (old?.topologySerial ?? 0), `the serial of ${id} went back`),
      ...must(
        row?.vetted === old?.vetted || (row?.topologySerial ?? 0) > (old?.topologySerial ?? 0),
        `${id} vets otherwise under the same serial`,
      ),
    ]),
    ...changed(was.contracts, is.contracts, (id, { before: old, after: row }) => [
      ...must(row === undefined || old === undefined, `the contract ${id} was changed`),
      ...must(is.ledgerEnd > was.ledgerEnd, `the contract ${id} was added or removed without an update`),
    ]),
    ...assignments(before, after),
  ];
}

function assignments(before: WorldState, after: WorldState): readonly string[] {
  return changed(before.registry.contracts, after.registry.contracts, (name, { before: old, after: row }) => {
    if (row === undefined) return [`the registry's contract ${name} went away`];
    if (old === undefined) return must(row.assignment.type === "assigned", `${name} was added while it moved`);
    const [was, is] = [old.assignment.reassignmentCounter, row.assignment.reassignmentCounter];
    return [
      ...must(is >= was, `the reassignment counter of ${name} fell from ${was} to ${is}`),
      ...must(row.contractId === old.contractId, `${name} has another contract id`),
    ];
  });
}

/** Rows compared between two states. */
const rowsMax = 1000;

function changed<Row>(
  before: Table<Row>,
  after: Table<Row>,
  problemsOf: (id: string, difference: RowDifference<Row>) => readonly string[],
): readonly string[] {
  if (before === after) return [];
  return differencesOf(before, after, rowsMax).flatMap((difference) => problemsOf(difference.id, difference));
}

/** Effects that a refused or reading request must not have. Planned events happened before it. */
export function effectsBetween(before: WorldState, after: WorldState): readonly string[] {
  return [
    ...must(after.ledger === before.ledger, `it changed ${changedMembers(before.ledger, after.ledger)} of the ledger`),
    ...must(
      after.registry === before.registry,
      `it changed ${changedMembers(before.registry, after.registry)} of the registry`,
    ),
    ...must(after.plan === before.plan && after.timedDone === before.timedDone, "it changed the plan"),
    ...must(after.nowMs === before.nowMs, "time passed"),
  ];
}

function changedMembers(before: object, after: object): string {
  const was = new Map<string, unknown>(Object.entries(before));
  const names = Object.entries(after).flatMap(([name, value]) => (was.get(name) === value ? [] : [name]));
  return names.length === 0 ? "nothing, but as another object," : names.join(", ");
}
