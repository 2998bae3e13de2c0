import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { executeExample } from "../sample-submissions.ts";

const execution = executeExample("", "5c6e1d6e-3c0d-4c56-8a55-3a5ad4a0e6a3", { deduplicationPeriod: { Empty: {} } });

/** The pointer of a finding on the submission id points into the request. */
export const ledgerStrings: ExchangeRule = {
  type: "exchange",
  id: "ledger-strings",
  section: "4.2",
  severity: "error",
  summary:
    "The update id of an execution is a LedgerString, and an execution whose submission id is not a LedgerString is rejected.",
  operations: [execution.operationId],
  appliesTo: ({ status }) => status === 200,
  check: ({ requestJson, responseJson }) => [
    ...strayText(requestJson, "submissionId"),
    ...strayText(responseJson, "updateId"),
  ],
  examples: {
    kept: [{ ...execution, name: "two valid LedgerStrings" }],
    broken: [
      { ...execution, name: "an empty update id", body: '{"updateId":"","completionOffset":7}' },
      { ...executeExample("", "a\nb"), name: "a submission id with a line break" },
    ],
  },
};

function strayText(message: CheckedExchange["requestJson"], member: string): readonly Finding[] {
  const text = textAt(message, member);
  if (text === undefined || isIdentifier("ledgerString", text)) return [];
  const expected = `a LedgerString in ${member}: 1 to 255 letters, digits, spaces and ._:-#/`;
  const actual = JSON.stringify(text.slice(0, 80));
  return [{ expected, actual, pointer: `/${member}`, keyword: "ledgerString", value: text }];
}
