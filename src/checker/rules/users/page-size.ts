import { listAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

export const pageSize: ExchangeRule = {
  type: "exchange",
  id: "page-size",
  section: "8",
  severity: "error",
  summary: "A page has at most pageSize users.",
  operations: ["getV2Users"],
  appliesTo: ({ status, query }) => status === 200 && requestedSize(query) !== undefined,
  check({ responseJson, query }) {
    const [size = 0, count] = [requestedSize(query), listAt(responseJson, "users").length];
    if (count <= size) return [];
    const expected = `at most ${size} users`;
    return [{ expected, actual: `${count} users`, pointer: "/users", keyword: size === 0 ? "zero" : "maxItems" }];
  },
  examples: {
    kept: [{ ...users, name: "a full page", target: "/v2/users?pageSize=2", body: pageOfUsers(["a", "b"], "t") }],
    broken: [
      { ...users, name: "one user too many", target: "/v2/users?pageSize=1", body: pageOfUsers(["a", "b"], "t") },
      { ...users, name: "a user in a page of size 0", target: "/v2/users?pageSize=0", body: pageOfUsers(["a"], "") },
      { ...users, name: "a negative page size", target: "/v2/users?pageSize=-1", body: pageOfUsers([], "") },
    ],
  },
};

/** Undefined if pageSize is missing or repeated. */
function requestedSize(query: URLSearchParams): number | undefined {
  if (query.getAll("pageSize").length !== 1) return undefined;
  const size = query.get("pageSize") ?? "";
  return /^[+-]?\d+$/.test(size) ? Number(size) : undefined;
}
