import { everythingFor } from "../_event-format.ts";
import { transactionTreeJson } from "../_transaction-json.ts";
import type { Operation } from "../operation.ts";
import { maySubmit, submit, submittersFirst } from "./_submit.ts";

/** `POST /v2/commands/submit-and-wait-for-transaction-tree`: deprecated by submit-and-wait-for-transaction (Canton 3.5, openapi.yaml). */
export const submitAndWaitForTransactionTree: Operation = {
  operationId: "postV2CommandsSubmit-and-wait-for-transaction-tree",
  precheck: submittersFirst,
  mayCall: maySubmit,
  perform(call, world) {
    const executed = submit(call, world);
    if (executed.type !== "executed") return executed;
    const format = everythingFor(executed.update.submitters);
    const transactionTree = transactionTreeJson(executed.update, { format, registry: world.registry });
    return { type: "succeeded", body: { transactionTree }, changes: executed.changes, warning: executed.warning };
  },
};
