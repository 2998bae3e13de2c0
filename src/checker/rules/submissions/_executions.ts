import { memberAt, textAt } from "../members.ts";
import type { CheckedExchange } from "../rule.ts";

const execution = "postV2Interactive-submissionExecuteandwait";

export const executionOperations: readonly string[] = [execution];

interface Execution {
  readonly preparedTransaction: string;
  readonly submissionId: string;
  readonly updateId: string;
  readonly offset: bigint;
}

/** A successful execution; undefined for any other exchange. */
export function executionOf({ operation, status, requestJson, responseJson }: CheckedExchange): Execution | undefined {
  if (operation.operationId !== execution || status !== 200) return undefined;
  const [updateId, offset] = [textAt(responseJson, "updateId"), memberAt(responseJson, "completionOffset")];
  const isWhole = typeof offset === "bigint" || (typeof offset === "number" && Number.isInteger(offset));
  if (updateId === undefined || !isWhole) return undefined;
  return {
    preparedTransaction: textAt(requestJson, "preparedTransaction") ?? "",
    submissionId: textAt(requestJson, "submissionId") ?? "",
    updateId,
    offset: BigInt(offset),
  };
}
