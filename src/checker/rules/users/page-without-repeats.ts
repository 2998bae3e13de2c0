import { indexesOfRepeats } from "../_repeats.ts";
import { listAt, textAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

export const pageWithoutRepeats: ExchangeRule = {
  type: "exchange",
  id: "page-without-repeats",
  section: "4.2",
  severity: "error",
  summary: "A page lists each user once.",
  operations: ["getV2Users"],
  appliesTo: ({ status, responseJson }) => status === 200 && listAt(responseJson, "users").length > 1,
  check({ responseJson }) {
    const ids = listAt(responseJson, "users").map((user) => textAt(user, "id"));
    return indexesOfRepeats(ids).map((place) => ({
      expected: "a user that the page does not list yet",
      actual: ids[place] ?? "",
      pointer: `/users/${place}/id`,
      keyword: "uniqueItems",
    }));
  },
  examples: {
    kept: [{ ...users, name: "two users", body: pageOfUsers(["a", "b"], "") }],
    broken: [{ ...users, name: "the same user twice", body: pageOfUsers(["a", "b", "a"], "") }],
  },
};
