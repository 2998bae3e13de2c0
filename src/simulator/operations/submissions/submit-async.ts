import type { Operation } from "../operation.ts";
import { maySubmit, submit, submittersFirst } from "./_submit.ts";

/**
 * `POST /v2/commands/async/submit`: like submit-and-wait, with an empty response. A node responds before the outcome is
 * known; the stub commits the transaction at once (Canton 3.5, openapi.yaml).
 */
export const submitAsync: Operation = {
  operationId: "postV2CommandsAsyncSubmit",
  precheck: submittersFirst,
  mayCall: maySubmit,
  perform(call, world) {
    const executed = submit(call, world);
    return executed.type === "executed"
      ? { type: "succeeded", body: {}, changes: executed.changes, warning: executed.warning }
      : executed;
  },
};
