import { listAt } from "../members.ts";
import type { TraceRule } from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { firstPage, lastPage } from "../sample-users.ts";
import { walkOperations, watchUndisturbedWalks } from "./_walks.ts";

/** The previous page breaks the rule; the finding is reported at the empty page that shows it. */
export const pageTokenAdvances: TraceRule = {
  type: "trace",
  id: "page-token-advances",
  section: "4.2",
  severity: "error",
  summary: "A page has a nextPageToken only if more users follow.",
  operations: walkOperations,
  assumesExclusiveUse: true,
  watch: (memories) =>
    watchUndisturbedWalks(memories, ({ walk }, { responseJson }) =>
      walk.tokens.size > 0 && listAt(responseJson, "users").length === 0
        ? [{ expected: "users, since the previous page gave a token", actual: "no users", pointer: "/users" }]
        : [],
    ),
  examples: {
    kept: [{ name: "a page with users after a token", exchanges: [firstPage, lastPage] }],
    broken: [
      { name: "an empty page after a token", exchanges: [firstPage, { ...lastPage, body: pageOfUsers([], "") }] },
    ],
  },
};
