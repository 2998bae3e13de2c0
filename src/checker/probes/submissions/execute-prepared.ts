import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import type { Probe } from "../../probing/probe.ts";
import type { PreparedSubmission } from "../../probing/target.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { asVariant } from "../_variants.ts";

export const executePrepared: Probe = {
  id: "execute-prepared",
  summary:
    "Executes each prepared transaction of the target file: without a valid token, with an invalid submission id, with a valid one, and again with another submission id.",
  section: "4.2",
  safety: "destructive",
  needs: [...asAdministrator, "preparedTransactions"],
  reaches: [
    "postV2Interactive-submissionExecuteandwait 200",
    "postV2Interactive-submissionExecuteandwait 409",
    "postV2Interactive-submissionExecuteandwait 401",
  ],
  async run(context) {
    const operationId = "postV2Interactive-submissionExecuteandwait";
    let isAccepted = false;
    for (const [index, submission] of context.need("preparedTransactions").entries()) {
      const id = `${context.prefix}-${index}`;
      const body = executionOf(submission, `${id}-refused`);
      for (const token of ["invalid", "none", "basic"] as const) await context.send({ operationId, token, body });
      const stray = { ...body, submissionId: strayId };
      await context.send({ operationId, token: "submitter", body: stray });
      for (const attempt of attemptsOf(submission, id, index)) {
        const call = { operationId, token: "submitter", body: attempt } as const;
        const { status, json } = await context.send(isAccepted ? asVariant(call, "deduplicationPeriod") : call);
        if (status === 200) context.created("transaction", updateIn(json) ?? String(attempt["submissionId"]));
        isAccepted ||= status === 200;
      }
    }
  },
};

const strayId = "no ledger string?";

function updateIn(response: Json | undefined): string | undefined {
  const updateId = isJsonObject(response) ? response["updateId"] : undefined;
  return typeof updateId === "string" ? updateId : undefined;
}

/** Every second transaction is first sent without a deduplication period, which is optional. */
function attemptsOf(submission: PreparedSubmission, id: string, index: number): readonly JsonObject[] {
  const { deduplicationPeriod: _, ...least } = executionOf(submission, `${id}-least`);
  const complete = [executionOf(submission, id), executionOf(submission, `${id}-again`)];
  return index % 2 === 0 ? complete : [least, ...complete];
}

function executionOf({ userId, ...submission }: PreparedSubmission, submissionId: string): JsonObject {
  const user = userId === undefined ? {} : { userId };
  return { ...submission, ...user, submissionId, deduplicationPeriod: { Empty: {} } };
}
