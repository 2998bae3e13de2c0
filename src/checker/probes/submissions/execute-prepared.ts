import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import type { Probe, ProbeCall, ProbeContext } from "../../probing/probe.ts";
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
      const stray = { ...body, submissionId: strayId };
      const refused: readonly ProbeCall[] = [
        ...(["invalid", "none", "basic"] as const).map((token) => ({ operationId, token, body })),
        { operationId, token: "submitter", body: stray },
      ];
      for (const call of refused) await execute(context, call);
      for (const attempt of attemptsOf(submission, id, index)) {
        const call: ProbeCall = { operationId, token: "submitter", body: attempt };
        const isVariant = isAccepted && attempt["deduplicationPeriod"] === undefined;
        const isExecuted = await execute(context, isVariant ? asVariant(call, "deduplicationPeriod") : call);
        isAccepted ||= isExecuted;
      }
    }
  },
};

/** Whether the target executed the transaction. Each one is listed, also where the target must refuse it. */
async function execute(context: ProbeContext, call: ProbeCall): Promise<boolean> {
  const { status, json } = await context.send(call);
  const submissionId = isJsonObject(call.body) ? String(call.body["submissionId"]) : "";
  if (status === 200) context.created("transaction", updateIn(json) ?? submissionId);
  return status === 200;
}

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
