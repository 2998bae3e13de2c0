import { listAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

/** A size of 0 is skipped, since the spec does not define it. */
export const pageSize: ExchangeRule = {
  type: "exchange",
  id: "page-size",
  section: "8",
  severity: "error",
  summary: "A page has at most pageSize users.",
  operations: ["getV2Users"],
  appliesTo: ({ operation, status, query }) =>
    operation.operationId === "getV2Users" && status === 200 && requestedSize(query) !== undefined,
  check({ responseJson, query }) {
    const [size = 0, count] = [requestedSize(query), listAt(responseJson, "users").length];
    return count <= size
      ? []
      : [{ expected: `at most ${size} users`, actual: `${count} users`, pointer: "/users", keyword: "maxItems" }];
  },
  examples: {
    kept: [{ ...users, name: "a full page", target: "/v2/users?pageSize=2", body: pageOfUsers(["a", "b"], "t") }],
    broken: [
      { ...users, name: "one user too many", target: "/v2/users?pageSize=1", body: pageOfUsers(["a", "b"], "t") },
      { ...users, name: "a negative page size", target: "/v2/users?pageSize=-1", body: pageOfUsers([], "") },
    ],
  },
};

/** Undefined if pageSize is missing or repeated. */
function requestedSize(query: URLSearchParams): number | undefined {
  if (query.getAll("pageSize").length !== 1) return undefined;
  const size = Number(query.get("pageSize"));
  return Number.isInteger(size) && size !== 0 ? size : undefined;
}
