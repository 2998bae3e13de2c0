// Executions for the examples of rules.
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { RuleExample } from "./rule.ts";

type Example = Omit<RuleExample, "name">;

/** A successful execution; `more` adds members to its request. */
export function executeExample(preparedTransaction: Json, submissionId: string, more: JsonObject = {}): Example {
  return {
    operationId: "postV2Interactive-submissionExecuteandwait",
    target: "/v2/interactive-submission/executeAndWait",
    requestBody: {
      preparedTransaction,
      partySignatures: { signatures: [] },
      submissionId,
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
      ...more,
    },
    status: 200,
    body: `{"updateId":"1220${"ab".repeat(32)}","completionOffset":1}`,
  };
}

/** An execution with this update id and offset; `update` are two hexadecimal characters of the id. */
export function executionExample(preparedTransaction: string, update: string, completionOffset: number): Example {
  const body = JSON.stringify({ updateId: `1220${update.repeat(32)}`, completionOffset });
  return { ...executeExample(preparedTransaction, `s${completionOffset}`), body };
}
