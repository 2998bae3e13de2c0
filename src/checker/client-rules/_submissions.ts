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
export function transactionPrepared({
  operation,
  status,
  responseJson,
  preparedOf,
}: CheckedExchange): string | undefined {
  return operation.operationId === preparation && status === 200
    ? preparedOf(textAt(responseJson, "preparedTransaction") ?? "").digest
    : undefined;
}

/** The digest of the prepared transaction in an execution request; undefined for any other exchange. */
export function transactionExecuted({ operation, requestJson, preparedOf }: CheckedExchange): string | undefined {
  return executions.includes(operation.operationId)
    ? preparedOf(textAt(requestJson, "preparedTransaction") ?? "").digest
    : undefined;
}
