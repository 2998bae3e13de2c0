import { headerValues } from "../../../foundation/http/header.ts";
import { isJsonObject } from "../../../foundation/json/json.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { ledgerError, lookupRequest, lookupTarget } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

/** The circumstances that a known divergence may depend on: a request that is not JSON, or a token that is refused. */
function circumstance({ status, requestText, requestJson, exchange }: CheckedExchange): string {
  if (requestText !== "" && !isJsonObject(requestJson)) return "malformed";
  const hasToken = headerValues(exchange.request.headers, "authorization").length > 0;
  return status === 401 && hasToken ? "with-token" : "status";
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
  check(checked) {
    const { operation, status } = checked;
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
