import { listAt, textAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { pageOfUsers, usersPage } from "../sample-bodies.ts";

const users = { operationId: "getV2Users", target: "/v2/users?pageToken=t", status: 200 } as const;

export const emptyPageIsLast: ExchangeRule = {
  type: "exchange",
  id: "empty-page-is-last",
  section: "4.2",
  severity: "error",
  summary: "A page without users has no token for another page.",
  operations: ["getV2Users"],
  appliesTo: ({ operation, status, responseJson }) =>
    operation.operationId === "getV2Users" && status === 200 && listAt(responseJson, "users").length === 0,
  check({ responseJson }) {
    const token = textAt(responseJson, "nextPageToken") ?? "";
    return token === "" ? [] : [{ expected: "no token", actual: token, pointer: "/nextPageToken" }];
  },
  examples: {
    kept: [{ ...users, name: "the end", body: usersPage }],
    broken: [{ ...users, name: "a token that leads on from nothing", body: pageOfUsers([], "t2") }],
  },
};
