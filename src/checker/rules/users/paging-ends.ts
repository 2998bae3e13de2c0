import { inconclusive, noFindings, notApplicable, type TraceRule, withFindings } from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { Walks, walkOperations } from "./_walks.ts";

const first = { operationId: "getV2Users", target: "/v2/users", status: 200, body: pageOfUsers(["a"], "t") } as const;
const second = { ...first, target: "/v2/users?pageToken=t" } as const;

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
      { name: "a walk to the end", exchanges: [first, { ...second, body: pageOfUsers(["b"], "") }] },
      { name: "the first page read twice", exchanges: [first, first, { ...second, body: pageOfUsers(["b"], "") }] },
    ],
    broken: [{ name: "a walk that loops", exchanges: [first, { ...second, body: pageOfUsers(["b"], "t") }] }],
  },
};
