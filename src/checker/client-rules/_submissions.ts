import { digestOf } from "../rules/digest.ts";
import { isRedacted } from "../rules/is-redacted.ts";
import { textAt } from "../rules/members.ts";
import type { CheckedExchange } from "../rules/rule.ts";

export const preparation = "postV2Interactive-submissionPrepare";

/** Operations that execute a prepared transaction. */
export const executions: readonly string[] = [
  "postV2Interactive-submissionExecuteandwait",
  "postV2Interactive-submissionExecute",
  "postV2Interactive-submissionExecuteandwaitfortransaction",
];

/**
 * The digest of the prepared transaction in the response of a successful preparation; undefined for any other exchange.
 */
export function transactionPrepared({ operation, status, responseJson }: CheckedExchange): string | undefined {
  return operation.operationId === preparation && status === 200
    ? keyOf(textAt(responseJson, "preparedTransaction"))
    : undefined;
}

/** The digest of the prepared transaction in an execution request; undefined for any other exchange. */
export function transactionExecuted({ operation, requestJson }: CheckedExchange): string | undefined {
  return executions.includes(operation.operationId) ? keyOf(textAt(requestJson, "preparedTransaction")) : undefined;
}

/** Base64 padding is optional. */
function keyOf(preparedTransaction: string | undefined): string | undefined {
  if (preparedTransaction === undefined || preparedTransaction === "" || isRedacted(preparedTransaction))
    return undefined;
  return digestOf(preparedTransaction.replace(/=+$/, ""));
}
