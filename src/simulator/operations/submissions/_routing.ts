import type { Synchronizer } from "../../ledger/ledger-state.ts";
import { contractWithId, type RegistryContract } from "../../registry/registry-state.ts";
import { connectedSynchronizer, connectedSynchronizers } from "../_synchronizer.ts";
import type { WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";
import { unvettedOn } from "./_vetted-packages.ts";

type FoundSynchronizer = { readonly type: "found"; readonly synchronizer: Synchronizer } | Refusal;

interface Routed {
  /** Empty if the request does not name a synchronizer. */
  readonly requested: string;
  /** The ids of the input contracts. */
  readonly inputs: readonly string[];
  readonly packages: readonly string[];
  /** The submitters of commands that are prepared; absent for an execution. */
  readonly submitters?: readonly string[];
}

/**
 * Routes a transaction: every input contract must be assigned to the synchronizer and must not be in flight. If neither the
 * request nor an input determines it, it is the first one with these packages.
 */
export function synchronizerFor(routed: Routed, world: WorldView): FoundSynchronizer {
  const { requested, inputs, packages } = routed;
  const { ledger, registry } = world;
  if (connectedSynchronizers(ledger).length === 0)
    return nodeError("NOT_CONNECTED_TO_ANY_SYNCHRONIZER", "The participant is not connected to any synchronizer");
  const used = [...new Set(inputs)]
    .flatMap((id) => contractWithId(registry, id) ?? [])
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const moving = used.find(({ assignment }) => assignment.type === "in-flight");
  if (moving !== undefined) return misrouted(`the contract ${moving.contractId} is being reassigned`);
  const assigned = used.filter((contract) => homeOf(contract) !== "");
  const named = requested || assigned.map(homeOf)[0];
  const synchronizer = chosen(named, world, packages);
  if (synchronizer === undefined) return misrouted(`the participant is not connected to ${named}`);
  return assigned.every((contract) => homeOf(contract) === synchronizer.id)
    ? { type: "found", synchronizer }
    : misplaced(routed, assigned, synchronizer);
}

/** The synchronizer of a contract; empty if the registry names none. */
function homeOf({ assignment }: RegistryContract): string {
  return assignment.type === "assigned" ? assignment.synchronizerId : "";
}

/**
 * Refuses contracts of which some are assigned to another synchronizer. A node reassigns them before it prepares, if a
 * submitter is a stakeholder of each; the stub does not (Canton 3.5, TransactionRoutingError.scala; recorded responses).
 */
function misplaced(
  { requested, submitters }: Routed,
  assigned: readonly RegistryContract[],
  synchronizer: Synchronizer,
): Refusal {
  const homes = Map.groupBy(assigned, homeOf);
  const places = [...homes]
    .map(([home, contracts]) => `${contracts.map(({ name }) => name).join(", ")} on ${home}`)
    .join("; ");
  const target = homes.size > 1 && requested === "" ? "one synchronizer" : synchronizer.id;
  const explanation = `Reassign the input contracts to ${target}, then prepare again (docs/reassignment-window.md). They are assigned as follows: ${places}.`;
  if (submitters === undefined)
    return misrouted(`input contracts are not assigned to ${synchronizer.id}. ${explanation}`);
  const away = assigned.filter((contract) => homeOf(contract) !== synchronizer.id);
  const isForeign = away.some(({ signatories }) => !signatories.some((party) => submitters.includes(party)));
  if (requested !== "" && isForeign)
    return nodeError(
      "SUBMITTER_ALWAYS_STAKEHOLDER",
      "The given contracts cannot be reassigned as no submitter is a stakeholder.",
      { explanation },
    );
  const reason = `None of the following Set(${[...homes.keys()].join(", ")}) is suitable for automatic reassignment.`;
  return nodeError(
    "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED",
    "Automatically reassigning contracts to a common synchronizer failed.",
    { context: { reason }, explanation },
  );
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
