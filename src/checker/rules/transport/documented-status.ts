import { headerValues } from "../../../foundation/http/header.ts";
import { isJsonObject } from "../../../foundation/json/json.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { ledgerError, lookupRequest, lookupTarget } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

/** What else could explain an undocumented status: a request that is not JSON, or one with a token. */
function circumstance({
  requestText,
  requestJson,
  exchange,
}: Pick<CheckedExchange, "requestText" | "requestJson" | "exchange">): string {
  if (requestText !== "" && !isJsonObject(requestJson)) return "malformed";
  return headerValues(exchange.request.headers, "authorization").length > 0 ? "with-token" : "status";
}

/** The `default` response of the ledger covers errors, but no further success and no redirect. */
export const documentedStatus: ExchangeRule = {
  type: "exchange",
  id: "documented-status",
  section: "7",
  severity: "error",
  summary: "The spec lists the status for the operation.",
  // 304 answers the conditional request of a browser that has the response cached.
  appliesTo: ({ status }) => status > 0 && status !== 304,
  check({ operation, status, ...checked }) {
    const { responses } = operation;
    if (responses[status] !== undefined || (responses["default"] !== undefined && status >= 400)) return [];
    return [
      {
        expected: `one of ${Object.keys(responses).join(", ")}`,
        actual: String(status),
        pointer: "",
        keyword: circumstance(checked),
      },
    ];
  },
  examples: {
    kept: [
      { name: "a page of users", ...users },
      {
        name: "a ledger error",
        ...users,
        status: 503,
        body: ledgerError,
      },
    ],
    broken: [
      { name: "another success status", ...users, status: 206 },
      {
        name: "a status that the spec does not list for a registry",
        operationId: "getTransferFactory",
        target: lookupTarget,
        requestBody: lookupRequest,
        status: 500,
        body: '{"error":"x"}',
      },
    ],
  },
};
