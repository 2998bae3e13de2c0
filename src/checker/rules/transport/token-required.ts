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
import { refusedTokens, watchRequestTokens } from "./_request-tokens.ts";

const bare = { ...users, requestHeaders: { Authorization: "" } } as const;

/** A target that rejects some invalid tokens and accepts others is a different finding from a target that requires none. */
export const tokenRequired: TraceRule = {
  type: "trace",
  id: "token-required",
  section: "5",
  severity: "error",
  summary: "No ledger operation succeeds without a valid bearer token.",
  assumesExclusiveUse: false,
  watch(memories) {
    const tokenOf = watchRequestTokens(memories);
    let hasRefused = false;
    let hasServed = false;
    return {
      ends(traced) {
        const { operation, status } = traced;
        if (operation.api !== "ledger" || operation.isPublic || status === 0) return notApplicable;
        const isFirstRefusal = !hasRefused && (status === 401 || status === 403);
        if (isFirstRefusal) hasRefused = true;
        // The refusal shows that an earlier success is not that of a target which requires no token.
        if (isFirstRefusal && hasServed) return withFindings([servedBefore(status)]);
        const token = tokenOf(traced);
        const refused = refusedTokens.get(token ?? "");
        if (refused !== undefined && status < 300) hasServed = true;
        const hasOthers = traced.context.token === undefined;
        if (refused !== undefined) return withFindings(success(status, refused, { hasRefused, hasOthers }));
        if (token !== undefined) return noFindings;
        return hasCredentials(traced) || status >= 300
          ? noFindings
          : inconclusive("the recorder may have omitted the token");
      },
    };
  },
  examples: {
    kept: [
      { name: "an error", exchanges: [providers, { ...bare, status: 401, body: ledgerError }] },
      { name: "a recording without tokens", exchanges: [bare, bare] },
      {
        name: "another sender, whose tokens a gateway may add",
        exchanges: [providers, { ...bare, requestHeaders: { ...bare.requestHeaders, "User-Agent": "Mozilla/5.0" } }],
      },
      {
        name: "a session in a cookie",
        exchanges: [providers, { ...bare, requestHeaders: { ...bare.requestHeaders, Cookie: "session=1" } }],
      },
    ],
    broken: [
      { name: "success with a missing token", exchanges: [{ ...bare, context: { token: "none" } }] },
      {
        name: "success with the scheme Basic",
        exchanges: [{ ...users, requestHeaders: { Authorization: "Basic YWxpY2U6c2VjcmV0" } }],
      },
      { name: "success without a token in a recording that shows tokens", exchanges: [providers, bare] },
      {
        name: "success with the scheme alone in a recording that shows tokens",
        exchanges: [providers, { ...users, requestHeaders: { Authorization: "Bearer " } }],
      },
      { name: "success with an invalid token", exchanges: [{ ...users, context: { token: "invalid" } }] },
      { name: "success with an expired token", exchanges: [{ ...users, context: { token: "expired" } }] },
    ],
  },
};

function hasCredentials({ exchange }: TracedExchange): boolean {
  const { headers } = exchange.request;
  return ["authorization", "sec-websocket-protocol"].some((name) => headerValues(headers, name).length > 0);
}

interface Tokens {
  /** Whether the target refused a request, so that it reads tokens. */
  readonly hasRefused: boolean;
  /** Whether a recording shows tokens: a client of a target without authentication sends none. */
  readonly hasOthers: boolean;
}

function success(status: number, refused: string, tokens: Tokens): readonly Finding[] {
  if (status >= 300) return [];
  const keyword = acceptedKeyword(tokens);
  return [{ expected: "an error", actual: `${status} for a request ${refused}`, pointer: "", keyword }];
}

function acceptedKeyword({ hasRefused, hasOthers }: Tokens): string {
  if (hasRefused) return "token-though-others-are-refused";
  return hasOthers ? "token-beside-tokens" : "token";
}

function servedBefore(status: number): Finding {
  const expected = "an error for every request without a valid token";
  const actual = `a success for an earlier one, and ${status} for this one`;
  return { expected, actual, pointer: "", keyword: "token-though-others-are-refused" };
}
