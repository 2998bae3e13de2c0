import { baseUrlOf } from "../../rules/base-url-of.ts";
import { textAt } from "../../rules/members.ts";
import { noFindings, notApplicable, withFindings } from "../../rules/rule.ts";
import { pageOfUsers } from "../../rules/sample-bodies.ts";
import type { ClientRule } from "../client-rule.ts";

const first = {
  operationId: "getV2Users",
  target: "/v2/users",
  status: 200,
  body: pageOfUsers(["a"], "ab+c="),
} as const;
const refusal = { status: 400, contentType: "text/plain", body: '"INVALID_ARGUMENT: page token"' } as const;

/** A node refuses no token that it gave; so what was given before the trace began is not taken for made up. */
export const pageTokensFromPages: ClientRule = {
  type: "trace",
  id: "page-tokens-from-pages",
  section: "4.2",
  severity: "error",
  sentence: "empty or omitted starts from the beginning; otherwise a token taken from the previous page result.",
  summary: "A page token is one that a page gave, to the letter.",
  why: "Tokens are the node's own, and their form changes between releases. One that was made up, or that lost a character on its way into a URL, is refused, or begins somewhere else.",
  advice: "Take `nextPageToken` of the page before as it is, and encode it for the URL.",
  operations: ["getV2Users"],
  assumesExclusiveUse: false,
  watch(memories) {
    const given = memories.map<true>();
    return {
      ends(traced) {
        const { query, status, responseJson } = traced;
        const base = baseUrlOf(traced);
        const next = textAt(responseJson, "nextPageToken") ?? "";
        if (status === 200 && next !== "") given.set(`${base} ${next}`, true);
        const token = query.get("pageToken") ?? "";
        const isSizeFine = /^\d{0,9}$/.test(query.get("pageSize") ?? "");
        if (token === "" || given.get(`${base} ${token}`) === true) return token === "" ? notApplicable : noFindings;
        if (status !== 400 || !isSizeFine) return notApplicable;
        return withFindings([
          { expected: "a token that a page gave", actual: token, pointer: "", keyword: "pageToken" },
        ]);
      },
    };
  },
  examples: {
    kept: [
      {
        name: "the token of the page before",
        exchanges: [first, { ...first, target: "/v2/users?pageToken=ab%2Bc%3D" }],
      },
      {
        name: "a token from before, which the node takes",
        exchanges: [{ ...first, target: "/v2/users?pageToken=old" }],
      },
      {
        name: "a refusal that may be for the size of the page",
        exchanges: [{ ...first, target: "/v2/users?pageSize=-1&pageToken=old", ...refusal }],
      },
      {
        name: "a refusal of a token that a page gave",
        exchanges: [first, { ...first, target: "/v2/users?pageToken=ab%2Bc%3D", ...refusal }],
      },
    ],
    broken: [
      {
        name: "a token that was not encoded",
        exchanges: [first, { ...first, target: "/v2/users?pageToken=ab+c=", ...refusal }],
      },
      { name: "a number of a page", exchanges: [first, { ...first, target: "/v2/users?pageToken=2", ...refusal }] },
    ],
  },
};
