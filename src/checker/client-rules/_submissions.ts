import { digestOf } from "../rules/digest.ts";
import { isRedacted } from "../rules/is-redacted.ts";
import { textAt } from "../rules/members.ts";
import type { CheckedExchange } from "../rules/rule.ts";

export const preparation = "postV2Interactive-submissionPrepare";

/** The ways to execute what was prepared. */
export const executions: readonly string[] = [
  "postV2Interactive-submissionExecuteandwait",
  "postV2Interactive-submissionExecute",
  "postV2Interactive-submissionExecuteandwaitfortransaction",
];

/** A prepared transaction as a short text: the response of a preparation that succeeded; undefined for any other exchange. */
export function transactionPrepared({ operation, status, responseJson }: CheckedExchange): string | undefined {
  return operation.operationId === preparation && status === 200
    ? keyOf(textAt(responseJson, "preparedTransaction"))
    : undefined;
}

/** The prepared transaction that is to be executed, as a short text; undefined for any other exchange. */
export function transactionExecuted({ operation, requestJson }: CheckedExchange): string | undefined {
  return executions.includes(operation.operationId) ? keyOf(textAt(requestJson, "preparedTransaction")) : undefined;
}

/** Padding may be left out. */
function keyOf(preparedTransaction: string | undefined): string | undefined {
  if (preparedTransaction === undefined || preparedTransaction === "" || isRedacted(preparedTransaction))
    return undefined;
  return digestOf(preparedTransaction.replace(/=+$/, ""));
}
