import { objectOf, textOf } from "../../../foundation/json/members.ts";
import { viewsOf } from "../../daml/token-views.ts";
import { offsetKey } from "../../ledger/ledger-state.ts";
import { contractWithId } from "../../registry/registry-state.ts";
import { contractIdProblem } from "../_contract-id.ts";
import { type EventFormat, eventFormatOf, eventFormatProblem, partiesOf, sightOf } from "../_event-format.ts";
import { mayRead } from "../_reading.ts";
import { connectedSynchronizers } from "../_synchronizer.ts";
import { archivedJson, createdJson, stakeholdersOf } from "../_transaction-json.ts";
import type { Call, Operation } from "../operation.ts";
import { missingField, nodeError } from "../refusal.ts";
import { historyOf } from "./_contract-history.ts";

/** `POST /v2/events/events-by-contract-id`: creation and archival of a contract (Canton 3.5, EventsReader.scala, EventQueryServiceIT). */
export const getContractEvents: Operation = {
  operationId: "postV2EventsEvents-by-contract-id",
  mayCall: (call, world) =>
    (call.body["eventFormat"] ?? null) === null || mayRead(call, partiesOf(formatOf(call)), world),
  perform(call, world) {
    const { ledger, registry } = world;
    const contractId = textOf(call.body["contractId"]);
    const misread = contractIdProblem(contractId);
    if (misread !== undefined) return misread;
    if ((call.body["eventFormat"] ?? null) === null) return missingField("event_format");
    const format = formatOf(call);
    const unfit = eventFormatProblem(format, call, world);
    if (unfit !== undefined) return unfit;
    const { created, archived } = historyOf(contractId, ledger);
    const sight =
      created === undefined ? undefined : sightOf(created, stakeholdersOf(created), viewsOf(created, registry), format);
    if (created === undefined || sight === undefined)
      return nodeError("CONTRACT_EVENTS_NOT_FOUND", "Contract events not found, or not visible.", {
        resources: [["CONTRACT_ID", contractId]],
      });
    const assignment = contractWithId(registry, contractId)?.assignment;
    const home =
      ledger.updates.get(ledger.updateIds.get(offsetKey(created.offset)) ?? "")?.synchronizerId ??
      (assignment?.type === "assigned" ? assignment.synchronizerId : connectedSynchronizers(ledger)[0]?.id) ??
      "";
    const isTransient = archived?.update.offset === created.offset;
    return {
      type: "succeeded",
      body: {
        created: { createdEvent: createdJson(created, sight, !isTransient), synchronizerId: home },
        archived:
          archived === undefined
            ? null
            : {
                archivedEvent: archivedJson(archived.event, archived.update, sight, registry),
                synchronizerId: archived.update.synchronizerId,
              },
      },
      changes: [],
    };
  },
};

function formatOf({ body }: Call): EventFormat {
  return eventFormatOf(objectOf(body["eventFormat"]));
}
