import type { ExchangeRule } from "../rule.ts";
import { ledgerError, lookupRequest, lookupTarget, usersPage } from "../sample-bodies.ts";

/** The `default` response of the ledger covers every error, but no further success and no redirect. */
export const documentedStatus: ExchangeRule = {
  type: "exchange",
  id: "documented-status",
  section: "7",
  severity: "error",
  summary: "The status is one that the spec names for the operation.",
  // A browser that has the response already asks only whether it is still the same.
  appliesTo: ({ status }) => status > 0 && status !== 304,
  check({ operation, status }) {
    const { responses } = operation;
    if (responses[status] !== undefined || (responses["default"] !== undefined && status >= 400)) return [];
    return [{ expected: `one of ${Object.keys(responses).join(", ")}`, actual: String(status), pointer: "" }];
  },
  examples: {
    kept: [
      { name: "a listed page", operationId: "getV2Users", target: "/v2/users", status: 200, body: usersPage },
      {
        name: "an error of the ledger",
        operationId: "getV2Users",
        target: "/v2/users",
        status: 503,
        body: ledgerError,
      },
    ],
    broken: [
      { name: "another success", operationId: "getV2Users", target: "/v2/users", status: 206, body: usersPage },
      {
        name: "a status that no registry has",
        operationId: "getTransferFactory",
        target: lookupTarget,
        requestBody: lookupRequest,
        status: 500,
        body: '{"error":"x"}',
      },
    ],
  },
};
