import { expect, test } from "vitest";
import { alice, stub } from "../../../test/acceptance/_prepared.ts";
import { applyToLedger } from "./apply-ledger.ts";
import type { LedgerContract, LedgerState, UpdateEvent } from "./ledger-state.ts";

function withEvents(ledger: LedgerState, events: readonly UpdateEvent[], committedAtMs = 5): LedgerState {
  const offset = ledger.ledgerEnd + 1n;
  const [updateId, submissionId] = [`1220${offset}`, "s"];
  const command = { key: updateId, updateId, submissionId, offset, completedAtMs: committedAtMs };
  const named = { updateId, submissionId, offset, commandId: "c", userId: "alice", submitters: [alice], events };
  const synchronizerId = [...ledger.synchronizers.values()][0]?.id ?? "";
  const update = { ...named, synchronizerId, committedAtMs, transactionHash: undefined, paidTrafficCost: undefined };
  return applyToLedger(ledger, { type: "transaction-committed", command, update });
}

function archive(contract: LedgerContract): UpdateEvent {
  const argument = { type: "unit" } as const;
  const exercise = { interfaceId: undefined, choice: "Archive", argument, actingParties: [alice], result: argument };
  return { type: "exercised", nodeId: 0, lastDescendantNodeId: 0, contract, isConsuming: true, ...exercise };
}

test("a contract is created once and consumed once", () => {
  const { ledger } = stub().world.state;
  const [contract] = ledger.contracts.values();
  if (contract === undefined) throw new Error("no contract");
  const create: UpdateEvent = { type: "created", nodeId: 0, contract };
  expect(() => withEvents(ledger, [create])).toThrow("is there already");
  const archived = withEvents(ledger, [archive(contract)]);
  expect(archived.contracts.get(contract.contractId)).toBeUndefined();
  expect(ledger.contracts.get(contract.contractId)).toBe(contract);
  expect(() => withEvents(archived, [archive(contract)])).toThrow("is not active");
  expect(withEvents(archived, [create]).contracts.get(contract.contractId)).toBe(contract);
});

test("a commit sets the record time of its synchronizer, and at the same time leaves the table as it is", () => {
  const first = withEvents(stub().world.state.ledger, []);
  const timesOf = ({ synchronizers }: LedgerState) => [...synchronizers.values()].map((each) => each.recordTimeMs);
  expect(timesOf(first)[0]).toBe(5);
  expect(withEvents(first, []).synchronizers).toBe(first.synchronizers);
  expect(timesOf(withEvents(first, [], 6))[0]).toBe(6);
});
