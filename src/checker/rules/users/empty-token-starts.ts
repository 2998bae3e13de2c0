import { digestOf } from "../digest.ts";
import { listAt, textAt } from "../members.ts";
import {
  inconclusive,
  noFindings,
  notApplicable,
  type RuleResult,
  type Span,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { badRequest, pageOfUsers } from "../sample-bodies.ts";
import { creation, users } from "../sample-users.ts";
import { callerOf } from "./_callers.ts";
import { Walks, walkOperations } from "./_walks.ts";

const empty = { ...users, target: "/v2/users?pageToken=", body: pageOfUsers(["a"], "") };
const without = { ...users, body: pageOfUsers(["a"], "") };

/** A first page, requested with an empty token or with none. */
interface FirstPage {
  readonly hasToken: boolean;
  readonly ids: readonly string[] | "refused";
  readonly span: Span;
}

export const emptyTokenStarts: TraceRule = {
  type: "trace",
  id: "empty-token-starts",
  section: "4.2",
  severity: "error",
  summary: "An empty pageToken gives the first page: the same users as without a token, and no error.",
  operations: walkOperations,
  assumesExclusiveUse: true,
  watch(memories) {
    const pages = memories.map<FirstPage>();
    const walks = new Walks(memories);
    return {
      begins: (traced) => walks.begins(traced),
      ends(traced) {
        walks.ends(traced);
        const now = firstPageOf(traced);
        const key = keyOf(traced);
        if (now === undefined || key === undefined) return notApplicable;
        const before = pages.get(key);
        if (before === undefined || before.hasToken === now.hasToken) {
          pages.set(key, now);
          return notApplicable;
        }
        const isRefused = before.ids === "refused" || now.ids === "refused";
        const isUnchanged = isRefused || (walks.isUndisturbed(before) && before.span.end < traced.span.start);
        if (!isUnchanged) pages.set(key, now);
        return isUnchanged ? difference(before, now) : inconclusive("users may have changed in between");
      },
    };
  },
  examples: {
    kept: [
      { name: "the same page twice", exchanges: [without, empty] },
      { name: "a user created in between", exchanges: [{ ...without, body: pageOfUsers([], "") }, creation, empty] },
    ],
    broken: [
      { name: "other users for an empty token", exchanges: [without, { ...empty, body: pageOfUsers(["b"], "") }] },
      { name: "no users for an empty token", exchanges: [{ ...empty, body: pageOfUsers([], "") }, without] },
      { name: "an error for an empty token", exchanges: [without, { ...empty, ...badRequest }] },
    ],
  },
};

/** Undefined for another page, or a response that shows no page. */
function firstPageOf({ operation, query, status, responseJson, span }: TracedExchange): FirstPage | undefined {
  const isFirst = operation.operationId === "getV2Users" && query.getAll("pageToken").every((token) => token === "");
  if (!isFirst || (status !== 200 && status !== 400)) return undefined;
  const ids = listAt(responseJson, "users").map((user) => textAt(user, "id") ?? "");
  return { hasToken: query.has("pageToken"), ids: status === 200 ? ids.sort() : "refused", span };
}

/** Caller and other parameters; undefined if the recording does not show the caller. */
function keyOf(traced: TracedExchange): string | undefined {
  const caller = callerOf(traced);
  const others = [...traced.query].filter(([name]) => name !== "pageToken").sort();
  return caller === "" ? undefined : digestOf(JSON.stringify([caller, others]));
}

function difference(before: FirstPage, now: FirstPage): RuleResult {
  const [byEmpty, byNone] = now.hasToken ? [now, before] : [before, now];
  if (JSON.stringify(byEmpty.ids) === JSON.stringify(byNone.ids)) return noFindings;
  // No user decides whether a page token is valid.
  const isCertain = before.ids === "refused" || now.ids === "refused";
  const expected = `${shownPage(byNone)}, as without a token`;
  return withFindings([
    { expected, actual: `${shownPage(byEmpty)} with an empty token`, pointer: "/users", isCertain },
  ]);
}

function shownPage({ ids }: FirstPage): string {
  return ids === "refused" ? "400" : `${ids.length} users, from ${JSON.stringify(ids[0] ?? "none")}`;
}
