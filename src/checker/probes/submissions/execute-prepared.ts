import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import type { Probe } from "../../probing/probe.ts";
import type { PreparedSubmission } from "../../probing/target.ts";
import { asAdministrator } from "../_ledger-calls.ts";

export const executePrepared: Probe = {
  id: "execute-prepared",
  summary: "Executes each prepared transaction of the target file, and again with another submission id.",
  section: "4.2",
  safety: "destructive",
  needs: [...asAdministrator, "preparedTransactions"],
  reaches: ["postV2Interactive-submissionExecuteandwait 200", "postV2Interactive-submissionExecuteandwait 409"],
  async run(context) {
    for (const [index, submission] of context.need("preparedTransactions").entries())
      for (const submissionId of [`${context.prefix}-${index}`, `${context.prefix}-${index}-again`]) {
        const { status, json } = await context.send({
          operationId: "postV2Interactive-submissionExecuteandwait",
          token: "submitter",
          body: executionOf(submission, submissionId),
        });
        if (status === 200) context.created("transaction", updateIn(json) ?? submissionId);
      }
  },
};

function updateIn(response: Json | undefined): string | undefined {
  const updateId = isJsonObject(response) ? response["updateId"] : undefined;
  return typeof updateId === "string" ? updateId : undefined;
}

function executionOf({ userId, ...submission }: PreparedSubmission, submissionId: string): JsonObject {
  const user = userId === undefined ? {} : { userId };
  return { ...submission, ...user, submissionId, deduplicationPeriod: { Empty: {} } };
}
