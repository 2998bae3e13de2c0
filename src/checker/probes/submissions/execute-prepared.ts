import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import type { Probe, ProbeCall, ProbeContext } from "../../probing/probe.ts";
import type { PreparedSubmission } from "../../probing/target.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { asVariant } from "../_variants.ts";

export const executePrepared: Probe = {
  id: "execute-prepared",
  summary:
    "Executes each prepared transaction of the target file: without a valid token, with an invalid submission id, with a valid one, again with another one, and with and without a deduplication period.",
  section: "4.2",
  safety: "destructive",
  needs: [...asAdministrator, "preparedTransactions"],
  reaches: [
    "postV2Interactive-submissionExecuteandwait 200",
    "postV2Interactive-submissionExecuteandwait 409",
    "postV2Interactive-submissionExecuteandwait 401",
  ],
  async run(context) {
    for (const [index, submission] of context.need("preparedTransactions").entries()) {
      const id = `${context.prefix}-${index}`;
      const body = executionOf(submission, `${id}-refused`);
      const stray = { ...body, submissionId: strayId };
      const refused: readonly ProbeCall[] = [
        ...(["invalid", "none", "basic"] as const).map((token) => ({ operationId, token, body })),
        { operationId, token: "submitter", body: stray },
      ];
      for (const call of refused) await execute(context, call);
      await executeInTurn(context, formsOf(submission, id, index));
    }
  },
};

const operationId = "postV2Interactive-submissionExecuteandwait";

/** Executes a transaction in the first form that the target accepts, again in this form, and then in the other one. */
async function executeInTurn(context: ProbeContext, [first, second]: readonly [JsonObject, JsonObject]): Promise<void> {
  const attempt = (body: JsonObject, as: (call: ProbeCall) => ProbeCall = (call) => call) =>
    execute(context, as({ operationId, token: "submitter", body }));
  const isFirst = (await attempt(first)) === 200;
  if (!isFirst && (await attempt(second)) !== 200) return;
  const [accepted, other] = isFirst ? [first, second] : [second, first];
  const repeated = await attempt({ ...accepted, submissionId: `${String(accepted["submissionId"])}-again` });
  // A refusal of the form shows only if a repetition has another status.
  const isShown = repeated !== 400 && repeated !== 422;
  await attempt(other, isShown ? (call) => asVariant(call, "deduplicationPeriod") : undefined);
}

/** Gives the status. Each executed transaction is listed, also where the target must refuse it. */
async function execute(context: ProbeContext, call: ProbeCall): Promise<number> {
  const { status, json } = await context.send(call);
  const submissionId = isJsonObject(call.body) ? String(call.body["submissionId"]) : "";
  if (status === 200) context.created("transaction", updateIn(json) ?? submissionId);
  return status;
}

const strayId = "no ledger string?";

function updateIn(response: Json | undefined): string | undefined {
  const updateId = isJsonObject(response) ? response["updateId"] : undefined;
  return typeof updateId === "string" ? updateId : undefined;
}

/** With a deduplication period and without one, which is optional; every second transaction the other way round. */
function formsOf(submission: PreparedSubmission, id: string, index: number): readonly [JsonObject, JsonObject] {
  const complete = executionOf(submission, id);
  const { deduplicationPeriod: _, ...least } = executionOf(submission, `${id}-least`);
  return index % 2 === 0 ? [complete, least] : [least, complete];
}

function executionOf({ userId, ...submission }: PreparedSubmission, submissionId: string): JsonObject {
  const user = userId === undefined ? {} : { userId };
  return { ...submission, ...user, submissionId, deduplicationPeriod: { Empty: {} } };
}
