import { illegalCharacterAt } from "../../../foundation/http/request-target.ts";
import type { RuleExample } from "../../rules/rule.ts";
import { users } from "../../rules/sample-users.ts";
import type { ClientRule } from "../client-rule.ts";

const refused: Omit<RuleExample, "name"> = {
  ...users,
  operationId: "getV2UsersUser-id",
  status: 400,
  contentType: "text/plain; charset=UTF-8",
  body: "Illegal request-target",
};

/** A recorded target that got a success reached its server in another spelling, so it is kept. */
export const targetsPercentEncoded: ClientRule = {
  type: "exchange",
  id: "targets-percent-encoded",
  section: "1",
  severity: "error",
  sentence: "A participant node offers the ledger's operations over HTTP, with bodies in JSON.",
  summary: "A path and its query hold only characters that a URI allows; others are percent-encoded.",
  why: "A node parses request targets strictly (Pekko HTTP, RFC 3986): it refuses a raw `|`, `^` or `[` with 400 before it looks at the path. `fetch` sends these characters as they are, and the ids of some identity providers contain them.",
  advice: "Encode each part of a path with `encodeURIComponent`, and queries with `URLSearchParams`.",
  appliesTo: ({ status }) => status === undefined || status >= 400,
  check({ exchange }) {
    const { target } = exchange.request;
    const at = illegalCharacterAt(target);
    if (at === undefined) return [];
    const actual = `${JSON.stringify(String.fromCodePoint(target.codePointAt(at) ?? 0))} at character ${at + 1} of the target`;
    return [{ expected: "percent-encoded characters", actual, pointer: "" }];
  },
  examples: {
    kept: [
      { ...refused, name: "plain characters", target: "/v2/users/alice" },
      { ...refused, name: "characters that a path may hold", target: "/v2/users/a:b@c;d'e" },
      { ...refused, name: "an encoded character", target: "/v2/users/auth0%7C5f7c" },
      { ...refused, name: "a target that a gateway encoded", target: "/v2/users/auth0|5f7c", status: 200, body: "{}" },
    ],
    broken: [
      { ...refused, name: "a vertical bar", target: "/v2/users/auth0|5f7c" },
      { ...refused, name: "a bracket in the query", operationId: "getV2Users", target: "/v2/users?pageSize[]=1" },
      { ...refused, name: "a percent sign alone", operationId: "getV2Users", target: "/v2/users?pageToken=100%" },
    ],
  },
};
