import { headerValues } from "../../http/header.ts";
import { type Finding, looked, notConcerned, type TracedExchange, type TraceRule, unknown } from "../rule.ts";
import { identityProviders, ledgerError, usersPage } from "./_sample-bodies.ts";

const users = { operationId: "getV2Users", target: "/v2/users", status: 200, body: usersPage } as const;
const withToken = { operationId: "getV2Idps", target: "/v2/idps", status: 200, body: identityProviders } as const;
const bare = { ...users, requestHeaders: { Authorization: "" } } as const;
const bad: ReadonlySet<string> = new Set(["none", "invalid", "expired"]);

/** Recorders may leave the header out, so a request without it counts only beside others that have it. */
export const tokenRequired: TraceRule = {
  type: "trace",
  id: "token-required",
  section: "5",
  severity: "error",
  summary: "No ledger operation succeeds without a valid bearer token.",
  assumesQuiet: false,
  watch() {
    let hasSeenToken = false;
    return {
      ends(traced) {
        const { operation, known, status } = traced;
        if (operation.api !== "ledger" || operation.isPublic || status === 0) return notConcerned;
        if (known.token !== undefined) return bad.has(known.token) ? looked(success(traced, known.token)) : looked();
        if (hasToken(traced)) {
          hasSeenToken = true;
          return looked();
        }
        if (status >= 300) return looked();
        return hasSeenToken
          ? looked(success(traced, "missing"))
          : unknown("no request before had a token, so that the recorder may have left the header out");
      },
    };
  },
  examples: {
    kept: [
      {
        name: "a refusal",
        exchanges: [withToken, { ...bare, status: 401, body: ledgerError }],
      },
      { name: "a recording without any token", exchanges: [bare, withToken] },
    ],
    broken: [
      { name: "success without a token beside requests with one", exchanges: [withToken, bare] },
      { name: "success with an expired token", exchanges: [{ ...users, known: { token: "expired" } }] },
    ],
  },
};

function hasToken({ exchange }: TracedExchange): boolean {
  const { headers } = exchange.request;
  return ["authorization", "sec-websocket-protocol"].some((name) => headerValues(headers, name).length > 0);
}

function success({ status }: TracedExchange, worth: string): readonly Finding[] {
  if (status >= 300) return [];
  return [{ expected: "a refusal", actual: `${status} with a token that is ${worth}`, pointer: "", keyword: "token" }];
}
