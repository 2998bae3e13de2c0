import { jsonOfInteger } from "../../../foundation/json/json.ts";
import type { Operation } from "../operation.ts";
import { maySubmit, submit, submittersFirst } from "./_submit.ts";

/** `POST /v2/commands/submit-and-wait`: executes commands once (Canton 3.5, openapi.yaml). */
export const submitAndWait: Operation = {
  operationId: "postV2CommandsSubmit-and-wait",
  precheck: submittersFirst,
  mayCall: maySubmit,
  perform(call, world) {
    const executed = submit(call, world);
    if (executed.type !== "executed") return executed;
    const { updateId, offset } = executed.update;
    const body = { updateId, completionOffset: jsonOfInteger(offset) };
    return { type: "succeeded", body, changes: executed.changes, warning: executed.warning };
  },
};
