import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, emptyExecution } from "../_ledger-calls.ts";
import { sendEach } from "../_malformed.ts";
import { invalidExecutions } from "./_invalid.ts";

export const executeBadRequest: Probe = {
  id: "execute-bad-request",
  summary: "Sends malformed execution requests, and an invalid prepared transaction.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2Interactive-submissionExecuteandwait 400"],
  async run(context) {
    const operationId = "postV2Interactive-submissionExecuteandwait";
    await sendEach(context, { operationId }, invalidExecutions(emptyExecution(context)));
  },
};
