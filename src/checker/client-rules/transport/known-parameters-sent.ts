import { suggestion } from "../../../foundation/text/suggestion.ts";
import type { CheckedExchange, Finding } from "../../rules/rule.ts";
import { users } from "../../rules/sample-users.ts";
import type { ClientRule } from "../client-rule.ts";
import { secretParameter } from "./_tokens.ts";

/** Tokens in a query break `token-in-header`. */
export const knownParametersSent: ClientRule = {
  type: "exchange",
  id: "known-parameters-sent",
  section: "4.2",
  severity: "warning",
  sentence: "`pageSize`, an optional int32 of the query, is the largest number of users in a page.",
  summary: "A query has only parameters that the profile knows.",
  why: "A node ignores an unknown parameter without an error: with a misspelt `pageSize`, pages have the default size.",
  advice: "Use the known name, or omit the parameter.",
  appliesTo: ({ query }) => query.size > 0,
  check: unknownParameters,
  examples: {
    kept: [
      { ...users, name: "known parameters", target: "/v2/users?pageSize=1&pageToken=t" },
      { ...users, name: "a token, which is not a parameter", target: "/v2/users?access_token=t" },
    ],
    broken: [
      { ...users, name: "another spelling", target: "/v2/users?page_size=1" },
      { ...users, name: "an operation without parameters", operationId: "getV2Idps", target: "/v2/idps?pageSize=1" },
    ],
  },
};

function unknownParameters({ operation, query }: CheckedExchange): readonly Finding[] {
  const known = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name) && !secretParameter.test(name));
  return unknown.slice(0, reportedMax).map((name) => ({
    expected: expectedFor(name, known),
    actual: `the unknown parameter \`${name}\``,
    pointer: "",
  }));
}

function expectedFor(name: string, known: readonly string[]): string {
  if (known.length === 0) return "no parameter in the query";
  const nearest = suggestion(name, known);
  return nearest === undefined ? `a known parameter: ${known.join(", ")}` : `the known parameter \`${nearest}\``;
}

/** Unknown parameters that are reported for one request. */
const reportedMax = 3;
