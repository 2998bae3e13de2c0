import { memberAt, textAt } from "../members.ts";
import type { CheckedExchange, RuleExample } from "../rule.ts";

const execution = {
  operationId: "postV2Interactive-submissionExecuteandwait",
  target: "/v2/interactive-submission/executeAndWait",
  status: 200,
} as const;

export const executionOperations: readonly string[] = [execution.operationId];

/** An example execution of a prepared transaction; `update` are two hexadecimal characters for its update id. */
export function executionExample(
  preparedTransaction: string,
  update: string,
  completionOffset: number,
): Omit<RuleExample, "name"> {
  return {
    ...execution,
    requestBody: {
      preparedTransaction,
      partySignatures: { signatures: [] },
      submissionId: `s${completionOffset}`,
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
    },
    body: JSON.stringify({ updateId: `1220${update.repeat(32)}`, completionOffset }),
  };
}

interface Execution {
  readonly preparedTransaction: string;
  readonly submissionId: string;
  readonly updateId: string;
  readonly offset: bigint;
}

/** A successful execution; undefined for any other exchange. */
export function executionOf({ operation, status, requestJson, responseJson }: CheckedExchange): Execution | undefined {
  if (operation.operationId !== execution.operationId || status !== 200) return undefined;
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
