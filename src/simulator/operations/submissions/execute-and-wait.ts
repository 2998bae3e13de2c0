import { jsonOfInteger } from "../../../foundation/json/json.ts";
import type { Operation } from "../operation.ts";
import { decodeFirst, execute, mayExecute } from "./_execution.ts";

/** `POST /v2/interactive-submission/executeAndWait`: executes a prepared transaction once (spec §4.2; Canton 3.5, SubmitRequestValidator.scala). */
export const executeAndWait: Operation = {
  operationId: "postV2Interactive-submissionExecuteandwait",
  precheck: decodeFirst,
  mayCall: mayExecute,
  perform(call, world) {
    const executed = execute(call, world);
    if (executed.type !== "executed") return executed;
    const { updateId, offset } = executed.update;
    return {
      type: "succeeded",
      body: { updateId, completionOffset: jsonOfInteger(offset) },
      changes: executed.changes,
    };
  },
};
