import { baseUrlOf } from "../../rules/base-url-of.ts";
import { textAt } from "../../rules/members.ts";
import { noFindings, notApplicable, withFindings } from "../../rules/rule.ts";
import { badRequest, pageOfUsers } from "../../rules/sample-bodies.ts";
import { users } from "../../rules/sample-users.ts";
import type { ClientRule } from "../client-rule.ts";

const first = { ...users, body: pageOfUsers(["a"], "ab+c=") };

/** A node accepts all its own tokens, so a token from before the trace does not count as invented. */
export const pageTokensFromPages: ClientRule = {
  type: "trace",
  id: "page-tokens-from-pages",
  section: "4.2",
  severity: "error",
  sentence:
    "`pageToken`, an optional string of the query: none or an empty one starts at the beginning, any other comes from the page before.",
  summary: "A page token is the unchanged token of an earlier page.",
  why: "Only the node knows the format of its tokens, and it changes between releases. An invented token, or one damaged by wrong URL encoding, is rejected or starts at another place.",
  advice: "Send `nextPageToken` of the previous page unchanged, with URL encoding.",
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
          { expected: "the token of an earlier page", actual: token, pointer: "", keyword: "pageToken" },
        ]);
      },
    };
  },
  examples: {
    kept: [
      {
        name: "the token of the previous page",
        exchanges: [first, { ...first, target: "/v2/users?pageToken=ab%2Bc%3D" }],
      },
      {
        name: "an accepted token from before the recording",
        exchanges: [{ ...first, target: "/v2/users?pageToken=old" }],
      },
      {
        name: "an error that may concern the page size",
        exchanges: [{ ...first, target: "/v2/users?pageSize=-1&pageToken=old", ...badRequest }],
      },
      {
        name: "a rejected token of an earlier page",
        exchanges: [first, { ...first, target: "/v2/users?pageToken=ab%2Bc%3D", ...badRequest }],
      },
    ],
    broken: [
      {
        name: "a token that was not encoded",
        exchanges: [first, { ...first, target: "/v2/users?pageToken=ab+c=", ...badRequest }],
      },
      { name: "a page number", exchanges: [first, { ...first, target: "/v2/users?pageToken=2", ...badRequest }] },
    ],
  },
};
