import { type JsonObject, jsonOfInteger } from "../../../foundation/json/json.ts";
import { tableOf } from "../../../foundation/table/table.ts";
import { usability } from "../../daml/interpretation.ts";
import { viewsOf } from "../../daml/token-views.ts";
import { type LedgerContract, type LedgerState, updatesAfter } from "../../ledger/ledger-state.ts";
import { type Assignment, contractWithId } from "../../registry/registry-state.ts";
import { type EventFormat, partiesOf, type Sight, sightOf } from "../_event-format.ts";
import { negativeOffset } from "../_offsets.ts";
import { connectedSynchronizers } from "../_synchronizer.ts";
import { createdJson, stakeholdersOf } from "../_transaction-json.ts";
import { creationKey, inOrder } from "../active-contracts.ts";
import type { Call, WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";

/** The refusal of an offset of active contracts that the ledger does not have; undefined if it has it. */
export function activeOffsetProblem(offset: bigint, { ledgerEnd }: LedgerState): Refusal | undefined {
  if (offset < 0n) return negativeOffset(offset, "active_at_offset");
  return offset > ledgerEnd
    ? nodeError("OFFSET_AFTER_LEDGER_END", `active_at_offset offset (${offset}) is after ledger end (${ledgerEnd})`)
    : undefined;
}

/** An active contract as an entry of a list, with its place in the order of creation. */
export interface ActiveEntry {
  readonly key: string;
  readonly entry: JsonObject;
}

/** The active contracts at an offset that the format shows, in the order of their creation, after a key of an earlier entry. */
export function* activeEntries(
  { offset, format, after = "" }: { readonly offset: bigint; readonly format: EventFormat; readonly after?: string },
  call: Call,
  world: WorldView,
): IterableIterator<ActiveEntry> {
  const assignmentOf = assignments(world);
  for (const contract of contractsAt(offset, partiesOf(format), call, world)) {
    const key = creationKey(contract);
    if (key <= after) continue;
    const sight = sightOf(contract, stakeholdersOf(contract), viewsOf(contract, world.registry), format);
    if (sight === undefined) continue;
    yield {
      key,
      entry: { workflowId: "", contractEntry: entryJson(contract, sight, assignmentOf(contract.contractId)) },
    };
  }
}

/**
 * The contracts of these parties, or of all, that were active at an offset, in the order of their creation. Contracts of other
 * parties may be among them, which `sightOf` omits.
 */
function* contractsAt(
  offset: bigint,
  parties: readonly string[] | undefined,
  { rows }: Call,
  world: WorldView,
): IterableIterator<LedgerContract> {
  const isUsable = usability(world.registry, (atMs) => atMs <= world.nowMs);
  const active = (parties !== undefined && parties.length <= mergedMax ? parties : [undefined])
    .map((party) => rows.activeContracts.of(party, world.ledger.contracts))
    .filter(({ size }) => size > 0);
  const archived = archivedAfter(offset, world.ledger).map((contract) => [creationKey(contract), contract] as const);
  for (const contract of inOrder([...active, tableOf(archived)])) {
    if (contract.offset > offset) return;
    if (isUsable(contract.contractId)) yield contract;
  }
}

/** With more parties, walking the contracts of all parties is cheaper than merging those of each. */
const mergedMax = 32;

function archivedAfter(offset: bigint, ledger: LedgerState): readonly LedgerContract[] {
  return [...updatesAfter(offset, ledger)].flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "exercised" && event.isConsuming ? [event.contract] : [])),
  );
}

function entryJson(contract: LedgerContract, sight: Sight, assignment: Assignment): JsonObject {
  const createdEvent = createdJson(contract, sight, true);
  if (assignment.type === "assigned")
    return {
      JsActiveContract: {
        createdEvent,
        synchronizerId: assignment.synchronizerId,
        reassignmentCounter: assignment.reassignmentCounter,
      },
    };
  const { source, target, reassignmentCounter } = assignment;
  return {
    JsIncompleteUnassigned: {
      createdEvent,
      unassignedEvent: { ...unassigned(contract, sight), source, target, reassignmentCounter },
    },
  };
}

function unassigned({ contractId, templateId, packageName, offset, nodeId }: LedgerContract, sight: Sight): JsonObject {
  return {
    reassignmentId: contractId.slice(0, 64),
    contractId,
    templateId,
    submitter: "",
    assignmentExclusivity: null,
    witnessParties: sight.witnesses,
    packageName,
    offset: jsonOfInteger(offset),
    nodeId,
  };
}

/** The assignment of a contract, by id. Only contracts of the registry are reassigned. */
function assignments({ ledger, registry }: WorldView): (contractId: string) => Assignment {
  const first = connectedSynchronizers(ledger)[0] ?? [...ledger.synchronizers.values()][0];
  const usual: Assignment = { type: "assigned", synchronizerId: first?.id ?? "", reassignmentCounter: 0 };
  return (contractId) => contractWithId(registry, contractId)?.assignment ?? usual;
}
