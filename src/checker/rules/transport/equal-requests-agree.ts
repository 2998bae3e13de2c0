import { headerValues } from "../../../foundation/http/header.ts";
import { type BoundedMap, noFindings, notApplicable, type RuleResult, type TraceRule, withFindings } from "../rule.ts";
import { badRequest, lookup } from "../sample-bodies.ts";

const status = {
  operationId: "getV2PackagesPackage-idStatus",
  target: "/v2/packages/a/status",
  status: 200,
  body: '{"packageStatus":"PACKAGE_STATUS_UNSPECIFIED"}',
} as const;
const users = "getV2Users";
const bare = { ...lookup, requestHeaders: { Authorization: "" } } as const;
const unauthenticated = { ...bare, status: 401, body: '{"error":"no token"}' } as const;

const operations: readonly string[] = [status.operationId, users, lookup.operationId];

/**
 * No state decides whether a package id or a page size is valid, or whether a registry requires a token, so the order of
 * requests does not matter.
 */
export const equalRequestsAgree: TraceRule = {
  type: "trace",
  id: "equal-requests-agree",
  section: "4",
  severity: "error",
  summary:
    "A request for a status or a page is not refused with 400, nor a lookup without a token with 401, if another one succeeds.",
  operations,
  assumesExclusiveUse: false,
  watch(memories) {
    const results = memories.map<number>();
    return {
      ends({ operation, exchange, query, status: code }) {
        const tokens = headerValues(exchange.request.headers, "authorization").filter((value) => value !== "");
        const isLookup = operation.operationId === lookup.operationId;
        if (!operations.includes(operation.operationId)) return notApplicable;
        const isOther = isLookup ? tokens.length > 0 : (query.get("pageToken") ?? "") !== "";
        if (isOther || (code !== 200 && code !== (isLookup ? 401 : 400))) return notApplicable;
        const subject = isLookup ? "lookups" : `${tokens.join("\n")} ${exchange.request.target}`;
        return compared(results, subject, code);
      },
    };
  },
  examples: {
    kept: [
      { name: "two statuses", exchanges: [status, status] },
      { name: "two refusals", exchanges: [unauthenticated, unauthenticated] },
      {
        name: "a lookup with a token",
        exchanges: [bare, { ...unauthenticated, requestHeaders: { Authorization: "Bearer t" } }],
      },
    ],
    broken: [
      { name: "a status, then a refusal", exchanges: [status, { ...status, ...badRequest }] },
      { name: "a refusal, then a status", exchanges: [{ ...status, ...badRequest }, status] },
      { name: "a lookup without a token is refused after another", exchanges: [bare, unauthenticated] },
    ],
  },
};

function compared(results: BoundedMap<number>, key: string, status: number): RuleResult {
  const before = results.get(key);
  results.set(key, status);
  if (before === undefined || before === status) return noFindings;
  const actual = `${before}, then ${status}`;
  return withFindings([{ expected: "the same result for equal requests", actual, pointer: "", keyword: "equal" }]);
}
