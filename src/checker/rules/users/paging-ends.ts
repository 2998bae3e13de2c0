import { inconclusive, noFindings, notApplicable, type TraceRule, withFindings } from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { firstPage, lastPage } from "../sample-users.ts";
import { Walks, walkOperations } from "./_walks.ts";

export const pagingEnds: TraceRule = {
  type: "trace",
  id: "paging-ends",
  section: "4.2",
  severity: "error",
  summary: "A walk through the pages ends: no page repeats a token of an earlier page.",
  operations: walkOperations,
  assumesExclusiveUse: false,
  watch(memories) {
    const walks = new Walks(memories);
    return {
      ends(traced) {
        const step = walks.ends(traced);
        if (step.type === "no-page") return notApplicable;
        if (step.type === "lost") return inconclusive(step.reason);
        const { tokens, nextToken } = step.walk;
        return tokens.has(nextToken)
          ? withFindings([{ expected: "a new token, or none", actual: nextToken, pointer: "/nextPageToken" }])
          : noFindings;
      },
    };
  },
  examples: {
    kept: [
      { name: "a walk to the end", exchanges: [firstPage, lastPage] },
      { name: "the first page read twice", exchanges: [firstPage, firstPage, lastPage] },
    ],
    broken: [{ name: "a walk that loops", exchanges: [firstPage, { ...lastPage, body: pageOfUsers(["b"], "t") }] }],
  },
};
