import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, textOf } from "../../../foundation/json/members.ts";
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
import { distinct } from "./_commands.ts";
import { maySubmit, submit, submittersFirst } from "./_submit.ts";

/** `POST /v2/commands/submit-and-wait-for-transaction`: executes commands; the response is the transaction (Canton 3.5, openapi.yaml). */
export const submitAndWaitForTransaction: Operation = {
  operationId: "postV2CommandsSubmit-and-wait-for-transaction",
  precheck: (call, world) => submittersFirst(commandsOf(call), world),
  mayCall: (call, world) =>
    maySubmit(commandsOf(call), world) &&
    mayRead(call, partiesOf(formatOf(requestedOf(call), commandsOf(call))), world),
  perform(call, world) {
    const commands = commandsOf(call);
    const requested = requestedOf(call);
    const format = formatOf(requested, commands);
    const unfit = requested === undefined ? undefined : transactionFormatProblem(requested, call, world);
    if (unfit !== undefined) return unfit;
    const executed = submit(commands, world);
    if (executed.type !== "executed") return executed;
    const isFull = textOf(requested?.["transactionShape"]) === "TRANSACTION_SHAPE_LEDGER_EFFECTS";
    const hasHash = call.release.hasTransactionHashes;
    const transaction = transactionJson(executed.update, { format, isFull, registry: world.registry, hasHash });
    return { type: "succeeded", body: { transaction }, changes: executed.changes, warning: executed.warning };
  },
};

/** The call of the commands, which are a member of the body. */
function commandsOf(call: Call): Call {
  return { ...call, body: objectOf(call.body["commands"]) };
}

function requestedOf({ body }: Call): JsonObject | undefined {
  const requested = body["transactionFormat"] ?? null;
  return requested === null ? undefined : objectOf(requested);
}

/** The requested format, or by default all events of the submitters and readers. */
function formatOf(requested: JsonObject | undefined, { body }: Call): EventFormat {
  return requested === undefined
    ? everythingFor([...distinct(body["actAs"]), ...distinct(body["readAs"])])
    : eventFormatOf(objectOf(requested["eventFormat"]));
}
