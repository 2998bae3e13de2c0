import { headerValues } from "../../../foundation/http/header.ts";
import {
  type Finding,
  inconclusive,
  noFindings,
  notApplicable,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { providers, users } from "../sample-users.ts";

const bare = { ...users, requestHeaders: { Authorization: "" } } as const;
const bad: ReadonlySet<string> = new Set(["none", "invalid", "expired"]);

/**
 * Recorders may omit the header, so only the sender of a request knows that it has no token. A target that rejects some
 * invalid tokens and accepts others is a different finding from a target that requires none.
 */
export const tokenRequired: TraceRule = {
  type: "trace",
  id: "token-required",
  section: "5",
  severity: "error",
  summary: "No ledger operation succeeds without a valid bearer token.",
  assumesExclusiveUse: false,
  watch() {
    let hasRefused = false;
    return {
      ends(traced) {
        const { operation, context, status } = traced;
        if (operation.api !== "ledger" || operation.isPublic || status === 0) return notApplicable;
        if (status === 401) hasRefused = true;
        if (context.token !== undefined)
          return bad.has(context.token) ? withFindings(success(traced, context.token, hasRefused)) : noFindings;
        if (status < 300 && hasOtherScheme(traced))
          return withFindings([
            {
              expected: "an error",
              actual: `${status} without a bearer token`,
              pointer: "",
              keyword: acceptedKeyword(hasRefused),
            },
          ]);
        return hasToken(traced) || status >= 300 ? noFindings : inconclusive("the recorder may have omitted the token");
      },
    };
  },
  examples: {
    kept: [
      {
        name: "an error",
        exchanges: [providers, { ...bare, status: 401, body: ledgerError }],
      },
      { name: "a recording without a token", exchanges: [bare, providers] },
    ],
    broken: [
      { name: "success with a missing token", exchanges: [{ ...bare, context: { token: "none" } }] },
      {
        name: "success with the scheme Basic",
        exchanges: [{ ...users, requestHeaders: { Authorization: "Basic YWxpY2U6c2VjcmV0" } }],
      },
      { name: "success with an invalid token", exchanges: [{ ...users, context: { token: "invalid" } }] },
      { name: "success with an expired token", exchanges: [{ ...users, context: { token: "expired" } }] },
    ],
  },
};

const otherScheme = /^(?:basic|digest|negotiate|apikey|hoba|mutual|scram-\S+)(?:\s|$)/i;

/** Whether the only credentials of the request have another scheme than Bearer. */
function hasOtherScheme({ exchange }: TracedExchange): boolean {
  const { headers } = exchange.request;
  const credentials = headerValues(headers, "authorization");
  const isWithoutProtocol = headerValues(headers, "sec-websocket-protocol").length === 0;
  return credentials.length > 0 && credentials.every((text) => otherScheme.test(text)) && isWithoutProtocol;
}

function hasToken({ exchange }: TracedExchange): boolean {
  const { headers } = exchange.request;
  return ["authorization", "sec-websocket-protocol"].some((name) => headerValues(headers, name).length > 0);
}

function success({ status }: TracedExchange, tokenKind: string, hasRefused: boolean): readonly Finding[] {
  if (status >= 300) return [];
  const keyword = acceptedKeyword(hasRefused);
  return [{ expected: "an error", actual: `${status} with a token that is ${tokenKind}`, pointer: "", keyword }];
}

function acceptedKeyword(hasRefused: boolean): string {
  return hasRefused ? "token-though-others-are-refused" : "token";
}
