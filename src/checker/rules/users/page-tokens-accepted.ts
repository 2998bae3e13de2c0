import { digestOf } from "../digest.ts";
import { textAt } from "../members.ts";
import { noFindings, notApplicable, type TracedExchange, type TraceRule, withFindings } from "../rule.ts";
import { badRequest } from "../sample-bodies.ts";
import { firstPage, lastPage, users } from "../sample-users.ts";
import { callerOf } from "./_callers.ts";

const next = { ...users, target: "/v2/users?pageSize=1&pageToken=t" };
const first = { ...firstPage, target: "/v2/users?pageSize=1" };

/**
 * A request with another caller or page size may be refused for another reason. A client knows the
 * token only from the response with that page, so the page came before, even where the times of both overlap.
 */
export const pageTokensAccepted: TraceRule = {
  type: "trace",
  id: "page-tokens-accepted",
  section: "4.2",
  severity: "error",
  summary: "The token of a page gives the next page: it is not refused with 400.",
  operations: [users.operationId],
  assumesExclusiveUse: false,
  watch(memories) {
    const given = memories.map<true>();
    return {
      ends(traced) {
        const { operation, status, query, responseJson } = traced;
        if (operation.operationId !== users.operationId) return notApplicable;
        const token = status === 200 ? textAt(responseJson, "nextPageToken") : undefined;
        if (token !== undefined && token !== "") given.set(keyOf(traced, token), true);
        const sent = query.get("pageToken") ?? "";
        const isGiven = sent !== "" && given.get(keyOf(traced, sent)) === true;
        if (!isGiven || (status !== 200 && status !== 400)) return notApplicable;
        return status === 200
          ? noFindings
          : withFindings([{ expected: "the next page, since a page gave this token", actual: "400", pointer: "" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "the next page", exchanges: [firstPage, lastPage] },
      {
        name: "a token that no page gave",
        exchanges: [{ ...firstPage, ...badRequest, target: "/v2/users?pageToken=x" }],
      },
      { name: "another page size", exchanges: [firstPage, { ...next, ...badRequest }] },
    ],
    broken: [{ name: "the token of the page before is refused", exchanges: [first, { ...next, ...badRequest }] }],
  },
};

/** The token with caller and other parameters. */
function keyOf(traced: TracedExchange, token: string): string {
  const others = [...traced.query].filter(([name]) => name !== "pageToken").sort();
  return digestOf(JSON.stringify([token, callerOf(traced), others]));
}
