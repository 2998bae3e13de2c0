import { type JsonObject, jsonOfInteger } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import { tableOf } from "../../../foundation/table/table.ts";
import { usability } from "../../daml/interpretation.ts";
import { viewsOf } from "../../daml/token-views.ts";
import { type LedgerContract, type LedgerState, updatesAfter } from "../../ledger/ledger-state.ts";
import { type Assignment, contractWithId } from "../../registry/registry-state.ts";
import { type EventFormat, eventFormatOf, packageIdProblem, partiesOf, type Sight, sightOf } from "../_event-format.ts";
import { integerOf } from "../_json-members.ts";
import { mayRead } from "../_reading.ts";
import { connectedSynchronizers } from "../_synchronizer.ts";
import { createdJson, stakeholdersOf } from "../_transaction-json.ts";
import { creationKey, inOrder } from "../active-contracts.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument, jsonLayerRefusal, nodeError } from "../refusal.ts";

/** `POST /v2/state/active-contracts`: the active contracts for the parties of the filter (Canton 3.5, openapi.yaml). */
export const listActiveContracts: Operation = {
  operationId: "postV2StateActive-contracts",
  mayCall: (call, world) => mayRead(call, partiesOf(formatOf(call)), world),
  perform: list,
};

/** The problem of a request with none or both of the two ways to name a format. */
function formatProblem({ body }: Call): string | undefined {
  const [eventFormat, filter] = [body["eventFormat"] ?? null, body["filter"] ?? null];
  if (eventFormat === null) return filter === null ? "Either filter/verbose or event_format is required." : undefined;
  if (filter !== null) return "Both event_format and filter are set.";
  return body["verbose"] === true ? "Both event_format and verbose are set." : undefined;
}

function formatOf({ body }: Call): EventFormat {
  return eventFormatOf(objectOf(body["eventFormat"] ?? body["filter"]));
}

function list(call: Call, world: WorldView): OperationResult {
  const { ledger, registry } = world;
  const offset = integerOf(call.body["activeAtOffset"]) ?? 0n;
  if (offset < 0n)
    return nodeError(
      "NEGATIVE_OFFSET",
      `Offset ${offset} in active_at_offset is a negative integer: the offset in active_at_offset field has to be a non-negative integer (>=0)`,
    );
  if (offset > ledger.ledgerEnd)
    return nodeError(
      "OFFSET_AFTER_LEDGER_END",
      `active_at_offset offset (${offset}) is after ledger end (${ledger.ledgerEnd})`,
    );
  const ambiguous = formatProblem(call);
  if (ambiguous !== undefined) return invalidArgument(ambiguous);
  const format = formatOf(call);
  if (format.filters.size === 0)
    return invalidArgument("filtersByParty and filtersForAnyParty cannot be empty simultaneously");
  const misnamed = packageIdProblem(format, call);
  if (misnamed !== undefined) return misnamed;
  const limit = Math.min(Number(call.query["limit"] ?? Number.POSITIVE_INFINITY), elementsMax + 1);
  const entries: JsonObject[] = [];
  const assignmentOf = assignments(world);
  for (const contract of contractsAt(offset, partiesOf(format), call, world)) {
    if (entries.length >= limit) break;
    const sight = sightOf(contract, stakeholdersOf(contract), viewsOf(contract, registry), format);
    if (sight !== undefined)
      entries.push({ workflowId: "", contractEntry: entryJson(contract, sight, assignmentOf(contract.contractId)) });
  }
  return entries.length > elementsMax ? tooManyElements : { type: "succeeded", body: entries, changes: [] };
}

/** The number of elements that a node sends as one list by default (Canton 3.5, http-list-max-elements-limit). */
const elementsMax = 200;

const tooManyElements = jsonLayerRefusal(
  "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED",
  `The number of matching elements (${elementsMax + 1}) is greater than the node limit (${elementsMax}).`,
);

/**
 * The contracts of these parties, or of all, that were active at an offset, in the order of their creation. Contracts of other
 * parties may be among them, which \`sightOf\` omits.
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
