import { inconclusive, noFindings, notApplicable, type TracedExchange, type TraceRule, withFindings } from "../rule.ts";
import { identityProviders, usersPage } from "../sample-bodies.ts";
import { isUnknownPath } from "./_unknown-path.ts";

const users = { operationId: "getV2Users", target: "/v2/users", status: 200, body: usersPage } as const;
const providers = { operationId: "getV2Idps", target: "/v2/idps", status: 200, body: identityProviders } as const;
const missing = {
  ...providers,
  status: 404,
  body: '{"errors":["HttpMethod(GET), uri: http://node/v2/idps"],"status":404,"ledgerApiError":null}',
} as const;

/** A client may have a wrong base URL, so that only a target counts that was seen to have another operation there. */
export const operationExists: TraceRule = {
  type: "trace",
  id: "operation-exists",
  section: "4.2",
  severity: "error",
  summary: "A node that has one of the documented operations has the others too.",
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
        if (there.size === 0) return inconclusive("nothing had shown before that there is a node at this base URL");
        if (there.has(operation.operationId) || !isPlain(traced))
          return inconclusive("the path may have been another one");
        return withFindings([{ expected: "the operation", actual: "the 404 of an unknown path", pointer: "" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "both", exchanges: [users, providers] },
      { name: "a base URL where there is nothing", exchanges: [missing] },
    ],
    broken: [{ name: "one alone", exchanges: [users, missing] }],
  },
};

/** Whether a node gave the response, and not a gateway before it. */
function isOfNode({ status, mediaType }: TracedExchange): boolean {
  return status === 200 && mediaType === "application/json";
}

/** What is escaped in a path may be read otherwise on its way. */
function isPlain({ exchange }: TracedExchange): boolean {
  return !/%|\/\//.test(exchange.request.target.replace(/^https?:\/\//i, "").split("?")[0] ?? "");
}
