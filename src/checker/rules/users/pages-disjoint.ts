import type { TraceRule } from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { firstPage, lastPage } from "../sample-users.ts";
import { walkOperations, watchUndisturbedWalks } from "./_walks.ts";

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
    kept: [{ name: "each user once", exchanges: [firstPage, lastPage] }],
    broken: [
      { name: "a user on two pages", exchanges: [firstPage, { ...lastPage, body: pageOfUsers(["a", "b"], "") }] },
    ],
  },
};
