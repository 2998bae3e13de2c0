import type { TraceRule } from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { walkOperations, watchUndisturbedWalks } from "./_walks.ts";

const first = { operationId: "getV2Users", target: "/v2/users", status: 200, body: pageOfUsers(["a"], "t") } as const;
const second = { ...first, target: "/v2/users?pageToken=t" } as const;

export const pagesDisjoint: TraceRule = {
  type: "trace",
  id: "pages-disjoint",
  section: "4.2",
  severity: "error",
  summary: "No user is on two pages of a walk.",
  operations: walkOperations,
  assumesExclusiveUse: true,
  watch: (memories) =>
    watchUndisturbedWalks(memories, ({ again }) =>
      again.map((id) => ({
        expected: "users that no earlier page lists",
        actual: id,
        pointer: "/users",
        keyword: "again",
      })),
    ),
  examples: {
    kept: [{ name: "each user once", exchanges: [first, { ...second, body: pageOfUsers(["b"], "") }] }],
    broken: [{ name: "a user on two pages", exchanges: [first, { ...second, body: pageOfUsers(["a", "b"], "") }] }],
  },
};
