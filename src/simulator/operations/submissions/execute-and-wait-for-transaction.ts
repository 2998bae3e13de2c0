import { objectOf } from "../../../foundation/json/members.ts";
import {
  type EventFormat,
  eventFormatOf,
  everythingFor,
  partiesOf,
  transactionFormatProblem,
} from "../_event-format.ts";
import { mayRead } from "../_reading.ts";
import { transactionJson } from "../_transaction-json.ts";
import type { Call, Operation } from "../operation.ts";
import { decodeFirst, execute, mayExecute } from "./_execution.ts";

/** `POST /v2/interactive-submission/executeAndWaitForTransaction`: the response is the transaction (Canton 3.5, openapi.yaml). */
export const executeAndWaitForTransaction: Operation = {
  operationId: "postV2Interactive-submissionExecuteandwaitfortransaction",
  precheck: decodeFirst,
  mayCall: (call, world) =>
    mayExecute(call, world) &&
    ((call.body["transactionFormat"] ?? null) === null || mayRead(call, partiesOf(formatOf(call)), world)),
  perform(call, world) {
    const requested = call.body["transactionFormat"] ?? null;
    const unfit = requested === null ? undefined : transactionFormatProblem(objectOf(requested), call, world);
    if (unfit !== undefined) return unfit;
    const executed = execute(call, world);
    if (executed.type !== "executed") return executed;
    const format = requested === null ? everythingFor(executed.update.submitters) : formatOf(call);
    const isFull = objectOf(requested ?? undefined)["transactionShape"] === "TRANSACTION_SHAPE_LEDGER_EFFECTS";
    const hasHash = call.release.hasTransactionHashes;
    const transaction = transactionJson(executed.update, { format, isFull, registry: world.registry, hasHash });
    return { type: "succeeded", body: { transaction }, changes: executed.changes };
  },
};

function formatOf({ body }: Call): EventFormat {
  return eventFormatOf(objectOf(objectOf(body["transactionFormat"])["eventFormat"]));
}
