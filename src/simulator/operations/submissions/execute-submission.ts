import type { Operation } from "../operation.ts";
import { decodeFirst, execute, mayExecute } from "./_execution.ts";

/**
 * `POST /v2/interactive-submission/execute`: as executeAndWait, and the response says nothing. A node responds before the
 * outcome is known; here the transaction is committed at once (facts, ledger-api 6).
 */
export const executeSubmission: Operation = {
  operationId: "postV2Interactive-submissionExecute",
  precheck: decodeFirst,
  mayCall: mayExecute,
  perform(call, world) {
    const executed = execute(call, world);
    return executed.type === "executed" ? { type: "succeeded", body: {}, changes: executed.changes } : executed;
  },
};
