import { baseUrlOf } from "../../rules/base-url-of.ts";
import { textAt } from "../../rules/members.ts";
import { noFindings, notApplicable, withFindings } from "../../rules/rule.ts";
import { pageOfUsers } from "../../rules/sample-bodies.ts";
import type { ClientRule } from "../client-rule.ts";

const first = { operationId: "getV2Users", target: "/v2/users", status: 200, body: pageOfUsers(["a"], "t") } as const;
const last = { ...first, target: "/v2/users?pageToken=t", body: pageOfUsers(["b"], "") } as const;

/** How often a token was given, and how often the page that it leads to was answered as the last one. */
interface Walked {
  readonly given: number;
  readonly ended: number;
}

/**
 * Walks that run side by side have the same tokens, so each time that one was given its page may be read once; and once
 * more, by who had given up waiting for it or shows it again.
 */
export const pagingStopsAtLastPage: ClientRule = {
  type: "trace",
  id: "paging-stops-at-last-page",
  section: "4.2",
  severity: "warning",
  sentence: "empty when there are no further results",
  summary: "After the page whose nextPageToken is empty, the walk is over.",
  why: "A loop that keeps the old token when the new one is empty reads the last page for ever.",
  advice: "Stop where `nextPageToken` is empty or missing; begin anew without a token.",
  operations: ["getV2Users"],
  assumesExclusiveUse: false,
  watch(memories) {
    const walked = memories.map<Walked>();
    const of = (key: string) => walked.get(key) ?? { given: 0, ended: 0 };
    return {
      ends(traced) {
        const { query, status, responseJson } = traced;
        if (status !== 200) return notApplicable;
        const [base, token] = [baseUrlOf(traced), query.get("pageToken") ?? ""];
        const next = textAt(responseJson, "nextPageToken") ?? "";
        if (next !== "") {
          const known = of(`${base} ${next}`);
          walked.set(`${base} ${next}`, { ...known, given: known.given + 1 });
        }
        if (token === "" || next !== "") return notApplicable;
        const { given, ended } = of(`${base} ${token}`);
        walked.set(`${base} ${token}`, { given, ended: ended + 1 });
        if (given === 0 || ended <= given) return noFindings;
        return withFindings([
          {
            expected: "an end after the last page",
            actual: "the last page again and again",
            pointer: "",
            keyword: "pageToken",
          },
        ]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a walk to the end, twice", exchanges: [first, last, first, last] },
      {
        name: "a page in the middle that is read again",
        exchanges: [first, { ...last, body: pageOfUsers(["b"], "u") }, { ...last, body: pageOfUsers(["b"], "u") }],
      },
      { name: "two walks side by side", exchanges: [first, first, last, last] },
      {
        name: "a last page that is read after a failure",
        exchanges: [first, { ...last, status: 503, body: "" }, last],
      },
      {
        name: "a last page that is read once more, since nobody waited for its response",
        exchanges: [first, last, last],
      },
      { name: "a page whose token was given before", exchanges: [last, last, last] },
    ],
    broken: [{ name: "a loop that keeps the old token", exchanges: [first, last, last, last] }],
  },
};
