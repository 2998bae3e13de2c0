import { isJsonObject, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import type { Probe, ProbeCall, ProbeContext, ProbeResponse } from "../../probing/probe.ts";
import type { PreparedSubmission } from "../../probing/target.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { sendEach } from "../_malformed.ts";
import { asVariant } from "../_variants.ts";
import { invalidExecutions } from "./_invalid.ts";

export const executePrepared: Probe = {
  id: "execute-prepared",
  summary:
    "Executes each prepared transaction of the target file: without a valid token, with one error at a time, without an error, again with another submission id, and with other optional members; and reads the end of the ledger.",
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
      const send = (call: ProbeCall) => execute(context, call);
      for (const token of ["invalid", "none", "basic"] as const) await send({ operationId, token, body });
      // The first transaction is enough for these.
      if (index === 0) await sendEach({ send }, { operationId, token: "submitter" }, invalidExecutions(body));
      await executeInTurn(context, formsOf(submission, id, index));
    }
  },
};

const operationId = "postV2Interactive-submissionExecuteandwait";

/** Executes a transaction in the first form that the target accepts, again in this form, and then in the other ones. */
async function executeInTurn(context: ProbeContext, forms: readonly JsonObject[]): Promise<void> {
  const attempt = async (body: JsonObject, variant?: string) => {
    const call: ProbeCall = { operationId, token: "submitter", body };
    return (await execute(context, variant === undefined ? call : asVariant(call, variant))).status;
  };
  let tried = 0;
  while (tried < forms.length && (await attempt(forms[tried] ?? {})) !== 200) tried += 1;
  const accepted = forms[tried];
  if (accepted === undefined) return;
  if (context.knows(ledgerEnd)) await context.send({ operationId: ledgerEnd, context: { readsBack: true } });
  const repeated = await attempt({ ...accepted, submissionId: `${String(accepted["submissionId"])}-again` });
  // A refusal of the form shows only if a repetition has another status.
  const isShown = repeated !== 400 && repeated !== 422;
  for (const form of forms)
    if (form !== accepted && !isTimed(form)) await attempt(form, isShown ? memberApart(form, accepted) : undefined);
}

const ledgerEnd = "getV2StateLedger-end";

/** The spec does not show the content of `minLedgerTime`, so a target may refuse this one. */
function isTimed(form: JsonObject): boolean {
  return form["minLedgerTime"] !== undefined;
}

/** The optional member in which a form differs from the accepted one. */
function memberApart(form: JsonObject, accepted: JsonObject): string {
  const name = "deduplicationPeriod";
  return (form[name] === undefined) === (accepted[name] === undefined) ? "minLedgerTime" : name;
}

/** Each executed transaction is listed, also where the target must refuse it. */
async function execute(context: ProbeContext, call: ProbeCall): Promise<ProbeResponse> {
  const response = await context.send(call);
  const { status, json } = response;
  const submissionId = isJsonObject(call.body) ? String(call.body["submissionId"]) : "";
  if (status === 200) context.created("transaction", updateIn(json) ?? submissionId);
  return response;
}

function updateIn(response: Json | undefined): string | undefined {
  const updateId = isJsonObject(response) ? response["updateId"] : undefined;
  return typeof updateId === "string" ? updateId : undefined;
}

/** With a least ledger time, a deduplication period, and none of both; every second transaction the other way round. */
function formsOf(submission: PreparedSubmission, id: string, index: number): readonly JsonObject[] {
  const complete = executionOf(submission, id);
  const { deduplicationPeriod: _, ...least } = executionOf(submission, `${id}-least`);
  const timed = { ...complete, minLedgerTime: { time: { Empty: {} } } };
  return index % 2 === 0 ? [timed, complete, least] : [least, complete];
}

function executionOf({ userId, ...submission }: PreparedSubmission, submissionId: string): JsonObject {
  const user = userId === undefined ? {} : { userId };
  return { ...submission, ...user, submissionId, deduplicationPeriod: { Empty: {} } };
}
