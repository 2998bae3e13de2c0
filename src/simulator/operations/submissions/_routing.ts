import type { LedgerState, Synchronizer } from "../../ledger/ledger-state.ts";
import { connectedSynchronizer, connectedSynchronizers } from "../_synchronizer.ts";
import type { WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";

export type FoundSynchronizer = { readonly type: "found"; readonly synchronizer: Synchronizer } | Refusal;

/** Routes a transaction: every input contract must be assigned to the synchronizer and must not be in flight. */
export function synchronizerFor(
  requested: string,
  inputs: readonly string[],
  { ledger, registry }: WorldView,
): FoundSynchronizer {
  if (connectedSynchronizers(ledger).length === 0)
    return nodeError("NOT_CONNECTED_TO_ANY_SYNCHRONIZER", "The participant is not connected to any synchronizer");
  const ids = new Set(inputs);
  const used = [...registry.contracts.values()].filter(({ contractId }) => ids.has(contractId));
  const moving = used.find(({ assignment }) => assignment.type === "in-flight");
  if (moving !== undefined) return misrouted(`the contract ${moving.contractId} is being reassigned`);
  const homes = new Set(
    used.flatMap(({ assignment }) => (assignment.type === "assigned" ? [assignment.synchronizerId] : [])),
  );
  homes.delete("");
  const [home, ...others] = homes;
  if (others.length > 0)
    return misrouted(`the contracts are assigned to several synchronizers: ${[...homes].join(", ")}`);
  const synchronizer = chosen(requested, home, ledger);
  if (synchronizer === undefined) return misrouted(`the participant is not connected to ${requested || home}`);
  return home !== undefined && home !== synchronizer.id
    ? misrouted(`the contracts are assigned to ${home}, not to ${synchronizer.id}`)
    : { type: "found", synchronizer };
}

function chosen(requested: string, home: string | undefined, ledger: LedgerState): Synchronizer | undefined {
  const named = requested || home;
  return named === undefined ? connectedSynchronizers(ledger)[0] : connectedSynchronizer(named, ledger);
}

function misrouted(problem: string): Refusal {
  return nodeError("INVALID_PRESCRIBED_SYNCHRONIZER_ID", `The transaction cannot be routed: ${problem}`);
}
