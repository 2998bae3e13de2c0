import { listAt, textAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { pageOfUsers, usersPage } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

const last = { ...users, target: "/v2/users?pageToken=t" };

export const emptyPageIsLast: ExchangeRule = {
  type: "exchange",
  id: "empty-page-is-last",
  section: "4.2",
  severity: "error",
  summary: "A page without users has no nextPageToken.",
  operations: ["getV2Users"],
  appliesTo: ({ status, responseJson }) => status === 200 && listAt(responseJson, "users").length === 0,
  check({ responseJson }) {
    const token = textAt(responseJson, "nextPageToken") ?? "";
    return token === "" ? [] : [{ expected: "no token", actual: token, pointer: "/nextPageToken" }];
  },
  examples: {
    kept: [{ ...last, name: "an empty last page", body: usersPage }],
    broken: [{ ...last, name: "an empty page with a token", body: pageOfUsers([], "t2") }],
  },
};
