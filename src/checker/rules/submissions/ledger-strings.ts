import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";

const execution = {
  operationId: "postV2Interactive-submissionExecuteandwait",
  target: "/v2/interactive-submission/executeAndWait",
  status: 200,
} as const;
const request = {
  preparedTransaction: "",
  partySignatures: { signatures: [] },
  deduplicationPeriod: { Empty: {} },
  submissionId: "5c6e1d6e-3c0d-4c56-8a55-3a5ad4a0e6a3",
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
};
const response = { updateId: `1220${"ab".repeat(32)}`, completionOffset: 7 };

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
    kept: [{ ...execution, name: "two valid LedgerStrings", requestBody: request, body: JSON.stringify(response) }],
    broken: [
      {
        ...execution,
        name: "an empty update id",
        requestBody: request,
        body: JSON.stringify({ ...response, updateId: "" }),
      },
      {
        ...execution,
        name: "a submission id with a line break",
        requestBody: { ...request, submissionId: "a\nb" },
        body: JSON.stringify(response),
      },
    ],
  },
};

function strayText(message: CheckedExchange["requestJson"], member: string): readonly Finding[] {
  const text = textAt(message, member);
  if (text === undefined || isIdentifier("ledgerString", text)) return [];
  return [
    {
      expected: `a LedgerString in ${member}: 1 to 255 letters, digits, spaces and ._:-#/`,
      actual: JSON.stringify(text.slice(0, 80)),
      pointer: `/${member}`,
      keyword: "ledgerString",
      value: text,
    },
  ];
}
