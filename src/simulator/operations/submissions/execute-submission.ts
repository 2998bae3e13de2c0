import type { Operation } from "../operation.ts";
import { decodeFirst, execute, mayExecute } from "./_execution.ts";

/**
 * `POST /v2/interactive-submission/execute`: like executeAndWait, with an empty response. A node responds before the
 * outcome is known; the stub commits the transaction at once (Canton 3.5, openapi.yaml).
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
