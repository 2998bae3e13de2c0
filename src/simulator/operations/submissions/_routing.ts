import type { Synchronizer } from "../../ledger/ledger-state.ts";
import { contractWithId } from "../../registry/registry-state.ts";
import { connectedSynchronizer, connectedSynchronizers } from "../_synchronizer.ts";
import type { WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";
import { unvettedOn } from "./_vetted-packages.ts";

export type FoundSynchronizer = { readonly type: "found"; readonly synchronizer: Synchronizer } | Refusal;

/**
 * Routes a transaction: every input contract must be assigned to the synchronizer and must not be in flight. If neither the
 * request nor an input determines it, it is the first one with these packages.
 */
export function synchronizerFor(
  requested: string,
  inputs: readonly string[],
  world: WorldView,
  packages: readonly string[] = [],
): FoundSynchronizer {
  const { ledger, registry } = world;
  if (connectedSynchronizers(ledger).length === 0)
    return nodeError("NOT_CONNECTED_TO_ANY_SYNCHRONIZER", "The participant is not connected to any synchronizer");
  const used = [...new Set(inputs)]
    .flatMap((id) => contractWithId(registry, id) ?? [])
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const moving = used.find(({ assignment }) => assignment.type === "in-flight");
  if (moving !== undefined) return misrouted(`the contract ${moving.contractId} is being reassigned`);
  const homes = new Set(
    used.flatMap(({ assignment }) => (assignment.type === "assigned" ? [assignment.synchronizerId] : [])),
  );
  homes.delete("");
  const [home, ...others] = homes;
  if (others.length > 0)
    return misrouted(`the contracts are assigned to several synchronizers: ${[...homes].join(", ")}`);
  const synchronizer = chosen(requested || home, world, packages);
  if (synchronizer === undefined) return misrouted(`the participant is not connected to ${requested || home}`);
  return home !== undefined && home !== synchronizer.id
    ? misrouted(`the contracts are assigned to ${home}, not to ${synchronizer.id}`)
    : { type: "found", synchronizer };
}

function chosen(
  named: string | undefined,
  { ledger, nowMs }: WorldView,
  packages: readonly string[],
): Synchronizer | undefined {
  if (named !== undefined) return connectedSynchronizer(named, ledger);
  const connected = connectedSynchronizers(ledger);
  return connected.find((synchronizer) => unvettedOn(synchronizer, packages, nowMs).length === 0) ?? connected[0];
}

function misrouted(problem: string): Refusal {
  return nodeError("INVALID_PRESCRIBED_SYNCHRONIZER_ID", `The transaction cannot be routed: ${problem}`);
}
