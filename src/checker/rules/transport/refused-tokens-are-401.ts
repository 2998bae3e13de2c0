import { textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

const refused = { ...users, body: ledgerError };
const bad: ReadonlySet<string> = new Set(["none", "invalid", "expired"]);
/** Statuses of an unavailable server, whatever the token. */
const busy: ReadonlySet<number> = new Set([429, 503, 504]);

/** An error in the request may take precedence over a bad token (Canton 3.5, Endpoints.scala and JsonApiAuthIT). */
export const refusedTokensAre401: ExchangeRule = {
  type: "exchange",
  id: "refused-tokens-are-401",
  section: "5",
  severity: "error",
  summary:
    "A request without a valid token gets 401, unless the request itself is invalid; it never gets the error of the operation.",
  appliesTo: ({ operation, status, context }) =>
    operation.api === "ledger" &&
    !operation.isPublic &&
    bad.has(context.token ?? "") &&
    status >= 300 &&
    !busy.has(status),
  check: (checked) =>
    checked.status === 401 || checked.status === 400
      ? []
      : [
          {
            expected: "401",
            actual: `${checked.status} for a token that is ${checked.context.token}`,
            pointer: "",
            basis: isOfOperation(checked) ? undefined : "advice",
          },
        ],
  examples: {
    kept: [{ ...refused, name: "401", status: 401, context: { token: "expired" } }],
    broken: [
      { ...refused, name: "an unknown user for a caller without a token", status: 404, context: { token: "none" } },
      { ...refused, name: "a server error", isWarning: true, status: 500, context: { token: "invalid" } },
    ],
  },
};

/** Whether the error shows that the operation ran. */
function isOfOperation({ status, responseJson }: CheckedExchange): boolean {
  return (status === 404 || status === 409) && textAt(responseJson, "code") !== undefined;
}
