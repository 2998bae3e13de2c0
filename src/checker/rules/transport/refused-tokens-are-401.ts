import { textAt } from "../members.ts";
import { type CheckedExchange, noFindings, notApplicable, type TraceRule, withFindings } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { providers, users } from "../sample-users.ts";
import { refusedTokens, watchRequestTokens } from "./_request-tokens.ts";

const refused = { ...users, body: ledgerError };
const withoutToken = { ...users, requestHeaders: { Authorization: "" } };
const unknown = { ...refused, status: 404, requestHeaders: { Authorization: "" } };
/** Statuses of an unavailable server, whatever the token. */
const busy: ReadonlySet<number> = new Set([429, 503, 504]);

/**
 * An error in the request may take precedence over a bad token (Canton 3.5, Endpoints.scala and JsonApiAuthIT). In a
 * recording, the target is certain to refuse requests without a token after a 401. A target that accepts one and refuses
 * none needs no token, which the rule `token-required` reports.
 */
export const refusedTokensAre401: TraceRule = {
  type: "trace",
  id: "refused-tokens-are-401",
  section: "5",
  severity: "error",
  summary:
    "A request without a valid token gets 401, unless the request itself is invalid; it never gets the error of the operation.",
  assumesExclusiveUse: false,
  watch(memories) {
    const tokenOf = watchRequestTokens(memories);
    let hasAccepted = false;
    let hasRefused = false;
    return {
      ends(traced) {
        const { operation, status, context } = traced;
        if (operation.api !== "ledger" || operation.isPublic) return notApplicable;
        const token = refusedTokens.get(tokenOf(traced) ?? "");
        if (token === undefined || status === 0) return notApplicable;
        if (status < 300) hasAccepted = true;
        if (status === 401) hasRefused = true;
        const isProbe = context.token !== undefined;
        const needsNoToken = hasAccepted && (!isProbe || !hasRefused);
        if (status < 300 || busy.has(status) || needsNoToken) return notApplicable;
        if (status === 401 || status === 400) return noFindings;
        const basis = isOfOperation(traced) && (isProbe || hasRefused) ? undefined : "advice";
        const note = status === 403 ? "; a target that reads tokens as user ids responds with it" : "";
        return withFindings([
          { expected: "401", actual: `${status} for a request ${token}${note}`, pointer: "", basis },
        ]);
      },
    };
  },
  examples: {
    kept: [
      { name: "401", exchanges: [{ ...refused, status: 401, context: { token: "expired" } }] },
      { name: "an unknown user in a recording that may omit tokens", exchanges: [unknown] },
      {
        name: "an unknown user without a token at a target that requires none",
        exchanges: [providers, withoutToken, unknown],
      },
      {
        name: "a probe of an unknown user without a token at a target that requires none",
        exchanges: [
          { ...users, context: { token: "none" } },
          { ...unknown, context: { token: "none" } },
        ],
      },
    ],
    broken: [
      { name: "an unknown user for a caller without a token", exchanges: [{ ...unknown, context: { token: "none" } }] },
      {
        name: "an unknown user for a caller without a token, who is refused elsewhere",
        exchanges: [
          { ...refused, status: 401, context: { token: "none" } },
          { ...unknown, context: { token: "none" } },
        ],
      },
      {
        name: "an unknown user without a token in a recording in which another request without one got 401",
        exchanges: [providers, { ...unknown, status: 401 }, unknown],
      },
      {
        name: "an unknown user without a token in a recording that shows tokens",
        isWarning: true,
        exchanges: [providers, unknown],
      },
      {
        name: "a server error",
        isWarning: true,
        exchanges: [{ ...refused, status: 500, context: { token: "invalid" } }],
      },
    ],
  },
};

/** Whether the error shows that the operation ran. */
function isOfOperation({ status, responseJson }: CheckedExchange): boolean {
  return (status === 404 || status === 409) && textAt(responseJson, "code") !== undefined;
}
