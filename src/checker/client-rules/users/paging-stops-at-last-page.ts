import { baseUrlOf } from "../../rules/base-url-of.ts";
import { textAt } from "../../rules/members.ts";
import { noFindings, notApplicable, withFindings } from "../../rules/rule.ts";
import { pageOfUsers } from "../../rules/sample-bodies.ts";
import { firstPage, lastPage } from "../../rules/sample-users.ts";
import type { ClientRule } from "../client-rule.ts";

/** How often a token was given, and how often its page was the last one. */
interface TokenUse {
  readonly given: number;
  readonly ended: number;
}

/**
 * Concurrent walks have the same tokens, so a page may be read once per time that its token was given. One extra read
 * is allowed, for a retry after a timeout.
 */
export const pagingStopsAtLastPage: ClientRule = {
  type: "trace",
  id: "paging-stops-at-last-page",
  section: "4.2",
  severity: "warning",
  sentence:
    "The response 200 has the optional list `users`, which holds the users of the node that fit the page and is empty after the last one, and the optional string `nextPageToken`, which is empty on the last page.",
  summary: "Paging stops after the page with an empty nextPageToken.",
  why: "A loop that keeps the old token when the new one is empty reads the last page forever.",
  advice: "Stop if `nextPageToken` is empty or missing. To start again, omit the token.",
  operations: ["getV2Users"],
  assumesExclusiveUse: false,
  watch(memories) {
    const tokenUses = memories.map<TokenUse>();
    const of = (key: string) => tokenUses.get(key) ?? { given: 0, ended: 0 };
    return {
      ends(traced) {
        const { query, status, responseJson } = traced;
        if (status !== 200) return notApplicable;
        const [base, token] = [baseUrlOf(traced), query.get("pageToken") ?? ""];
        const next = textAt(responseJson, "nextPageToken") ?? "";
        if (next !== "") {
          const known = of(`${base} ${next}`);
          tokenUses.set(`${base} ${next}`, { ...known, given: known.given + 1 });
        }
        if (token === "" || next !== "") return notApplicable;
        const { given, ended } = of(`${base} ${token}`);
        tokenUses.set(`${base} ${token}`, { given, ended: ended + 1 });
        if (given === 0 || ended <= given) return noFindings;
        const expected = "no request after the last page";
        return withFindings([{ expected, actual: "the last page again", pointer: "", keyword: "pageToken" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a complete walk, twice", exchanges: [firstPage, lastPage, firstPage, lastPage] },
      {
        name: "a middle page read again",
        exchanges: [
          firstPage,
          { ...lastPage, body: pageOfUsers(["b"], "u") },
          { ...lastPage, body: pageOfUsers(["b"], "u") },
        ],
      },
      { name: "two concurrent walks", exchanges: [firstPage, firstPage, lastPage, lastPage] },
      {
        name: "the last page read after a failure",
        exchanges: [firstPage, { ...lastPage, status: 503, body: "" }, lastPage],
      },
      { name: "the last page read once more after a timeout", exchanges: [firstPage, lastPage, lastPage] },
      { name: "a token from before the recording", exchanges: [lastPage, lastPage, lastPage] },
    ],
    broken: [{ name: "a loop that keeps the old token", exchanges: [firstPage, lastPage, lastPage, lastPage] }],
  },
};
