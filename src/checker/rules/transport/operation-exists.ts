import { inconclusive, noFindings, notApplicable, type TracedExchange, type TraceRule, withFindings } from "../rule.ts";
import { providers, users } from "../sample-users.ts";
import { isUnknownPath } from "./_unknown-path.ts";

const missing = {
  ...providers,
  status: 404,
  body: '{"errors":["HttpMethod(GET), uri: http://node/v2/idps"],"status":404,"ledgerApiError":null}',
} as const;

/** A wrong base URL also gives 404, so the rule needs another operation that exists at the same base URL. */
export const operationExists: TraceRule = {
  type: "trace",
  id: "operation-exists",
  section: "4.2",
  severity: "error",
  summary: "A node that serves one documented operation serves the others too.",
  assumesExclusiveUse: false,
  watch() {
    const there = new Set<string>();
    return {
      ends(traced) {
        const { operation, status } = traced;
        if (operation.api !== "ledger" || operation.isAdditional || status === 0) return notApplicable;
        if (!isUnknownPath(traced)) {
          if (isOfNode(traced)) there.add(operation.operationId);
          return noFindings;
        }
        if (there.size === 0) return inconclusive("no earlier exchange shows a node at this base URL");
        if (there.has(operation.operationId) || !isPlain(traced))
          return inconclusive("a proxy may have changed the path");
        return withFindings([
          { expected: "the documented operation", actual: "the 404 of an unknown path", pointer: "" },
        ]);
      },
    };
  },
  examples: {
    kept: [
      { name: "two operations that exist", exchanges: [users, providers] },
      { name: "a wrong base URL", exchanges: [missing] },
    ],
    broken: [{ name: "one operation exists and another does not", exchanges: [users, missing] }],
  },
};

/** Whether the response comes from a node and not from a gateway in front of it. */
function isOfNode({ status, mediaType }: TracedExchange): boolean {
  return status === 200 && mediaType === "application/json";
}

/** A proxy may decode escaped characters of the path. */
function isPlain({ exchange }: TracedExchange): boolean {
  return !/%|\/\//.test(exchange.request.target.replace(/^https?:\/\//i, "").split("?")[0] ?? "");
}
