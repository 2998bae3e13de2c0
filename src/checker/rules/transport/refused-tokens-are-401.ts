import type { ExchangeRule } from "../rule.ts";
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
  severity: "warning",
  summary: "A request without a valid token gets 401, unless the request itself is invalid.",
  appliesTo: ({ operation, status, context }) =>
    operation.api === "ledger" &&
    !operation.isPublic &&
    bad.has(context.token ?? "") &&
    status >= 300 &&
    !busy.has(status),
  check: ({ status, context }) =>
    status === 401 || status === 400
      ? []
      : [{ expected: "401", actual: `${status} for a token that is ${context.token}`, pointer: "" }],
  examples: {
    kept: [{ ...refused, name: "401", status: 401, context: { token: "expired" } }],
    broken: [{ ...refused, name: "a server error", status: 500, context: { token: "invalid" } }],
  },
};
