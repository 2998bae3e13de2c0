import { repeatedMember } from "../../../foundation/json/repeated-member.ts";
import type { ExchangeRule } from "../rule.ts";
import { usersPage } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

/** Parsers disagree about the value of a repeated member (RFC 8259, section 4), so its type is not that of the spec. */
export const membersUnique: ExchangeRule = {
  type: "exchange",
  id: "members-unique",
  section: "2",
  severity: "error",
  summary: "No JSON object of a response has two members with the same name.",
  appliesTo: ({ mediaType, responseJson }) => mediaType === "application/json" && responseJson !== undefined,
  check({ responseBody, responseJson }) {
    const name = repeatedMember(responseBody.text(), responseJson ?? null);
    if (name === undefined) return [];
    const expected = "each member once";
    return [{ expected, actual: `${JSON.stringify(name)} twice`, pointer: "", keyword: "uniqueItems" }];
  },
  examples: {
    kept: [
      { ...users, name: "each member once" },
      { ...users, name: "the same member in two objects", body: '{ "users": [{"id":"a"}, {"id":"b"}] }' },
    ],
    broken: [
      { ...users, name: "two lists of users", body: usersPage.replace("{", '{"users":[],') },
      { ...users, name: "a user with two ids", body: '{ "users": [ { "id": "a", "i\\u0064": "a" } ] }' },
    ],
  },
};
