import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import { offsetKey, type Update } from "../../ledger/ledger-state.ts";
import { eventFormatOf, partiesOf, updateFormatProblem } from "../_event-format.ts";
import { nonPositiveOffset } from "../_offsets.ts";
import { mayRead } from "../_reading.ts";
import { eventsOf, type TransactionOptions } from "../_transaction-json.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidArgument, missingField, nodeError, type Refusal } from "../refusal.ts";

/** The transaction options of a transaction format. */
export function optionsOf(format: JsonObject, { release }: Call, { registry }: WorldView): TransactionOptions {
  return {
    format: eventFormatOf(objectOf(format["eventFormat"])),
    isFull: format["transactionShape"] === "TRANSACTION_SHAPE_LEDGER_EFFECTS",
    registry,
    hasHash: release.hasTransactionHashes,
  };
}

/** The transaction options of an update format. */
export function updateOptionsOf(call: Call, world: WorldView): TransactionOptions {
  return optionsOf(objectOf(objectOf(call.body["updateFormat"])["includeTransactions"]), call, world);
}

export function mayReadUpdate(call: Call, { format }: TransactionOptions, world: WorldView): boolean {
  return mayRead(call, partiesOf(format), world);
}

/** Whether the caller may read what the formats of the request ask for. */
export function mayReadUpdates(call: Call, world: WorldView): boolean {
  const { updateFormat, filter } = call.body;
  if ((updateFormat ?? null) === null)
    return (filter ?? null) === null || mayRead(call, partiesOf(eventFormatOf(objectOf(filter))), world);
  const { includeTransactions, includeReassignments, includeTopologyEvents } = objectOf(updateFormat);
  const formats = [objectOf(includeTransactions)["eventFormat"], includeReassignments ?? null]
    .filter((format) => format !== null)
    .map((format) => eventFormatOf(objectOf(format)));
  const topology = objectOf(includeTopologyEvents)["includeParticipantAuthorizationEvents"] ?? null;
  const parties = textsOf(objectOf(topology)["parties"]);
  return (
    formats.every((format) => mayRead(call, partiesOf(format), world)) &&
    (topology === null || mayRead(call, parties.length === 0 ? undefined : parties, world))
  );
}

/** The refusal of a request for one update by its format. */
export function requiredFormatProblem(call: Call, world: WorldView): Refusal | undefined {
  const requested = call.body["updateFormat"] ?? null;
  return requested === null ? missingField("update_format") : updateFormatProblem(objectOf(requested), call, world);
}

/** An update with the events that the parties of the request see. */
export type FoundUpdate =
  | { readonly type: "found"; readonly update: Update; readonly events: readonly JsonObject[] }
  | Refusal;

/** The requested update; not found if its parties see no event of it. */
export function updateAt({ body }: Call, options: TransactionOptions, { ledger }: WorldView): FoundUpdate {
  const updateId = textOf(body["updateId"]);
  if (updateId === "") return missingField("update_id");
  if (!/^[0-9a-f]+$/.test(updateId)) return invalidArgument(`${JSON.stringify(updateId)} is not an update id`);
  return foundUpdate(ledger.updates.get(updateId), options, ["UPDATE_ID", updateId]);
}

/** The requested update by its offset; not found if its parties see no event of it. */
export function updateAtOffset(offset: bigint, options: TransactionOptions, { ledger }: WorldView): FoundUpdate {
  if (offset <= 0n) return nonPositiveOffset(offset, "offset");
  const updateId = ledger.updateIds.get(offsetKey(offset));
  const update = updateId === undefined ? undefined : ledger.updates.get(updateId);
  return foundUpdate(update, options, ["OFFSET", String(offset)]);
}

/** The update, or the refusal of an update that the parties of the options do not see. */
export function foundUpdate(
  update: Update | undefined,
  options: TransactionOptions,
  resource: readonly [type: string, id: string],
): FoundUpdate {
  const events = update === undefined ? [] : eventsOf(update, options);
  return update !== undefined && events.length > 0
    ? { type: "found", update, events }
    : nodeError("UPDATE_NOT_FOUND", "Update not found, or not visible.", { resources: [resource] });
}

/** The update whose signed hash this is, in base64. */
export function updateOfHash(hash: string, { ledger }: WorldView): Update | undefined {
  for (const update of ledger.updates.values()) if (update.transactionHash === hash) return update;
  return undefined;
}
