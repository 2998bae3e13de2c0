import { headerValues } from "../../../foundation/http/header.ts";
import { isJsonObject } from "../../../foundation/json/json.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { ledgerError, lookup } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

/** What the status leaves open: whether a 401 refuses a token, and whether a server error follows a malformed body. */
function circumstance({ status, requestText, requestJson, exchange }: CheckedExchange): string | undefined {
  const hasToken = headerValues(exchange.request.headers, "authorization").length > 0;
  if (status === 401) return hasToken ? "with-token" : "status";
  if (status < 500) return undefined;
  return requestText !== "" && !isJsonObject(requestJson) ? "malformed" : "status";
}

/** The `default` response of the ledger covers errors, but no further success and no redirect. */
export const documentedStatus: ExchangeRule = {
  type: "exchange",
  id: "documented-status",
  section: "7",
  severity: "error",
  summary: "The spec lists the status for the operation.",
  appliesTo: ({ status }) => status > 0,
  check(checked) {
    const { status, operation } = checked;
    const { responses } = operation;
    if (responses[status] !== undefined || (responses["default"] !== undefined && status >= 400)) return [];
    const expected = `one of ${Object.keys(responses).join(", ")}`;
    const keyword = circumstance(checked);
    return [{ expected, actual: String(status), pointer: "", ...(keyword === undefined ? {} : { keyword }) }];
  },
  examples: {
    kept: [
      { name: "a page of users", ...users },
      { name: "a ledger error", ...users, status: 503, body: ledgerError },
    ],
    broken: [
      { name: "another success status", ...users, status: 206 },
      { name: "a status that the spec does not list for a registry", ...lookup, status: 500, body: '{"error":"x"}' },
    ],
  },
};
