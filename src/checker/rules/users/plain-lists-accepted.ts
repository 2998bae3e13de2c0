import { headerValues } from "../../../foundation/http/header.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { badRequest } from "../sample-bodies.ts";
import { providers, users } from "../sample-users.ts";

const lists: ReadonlySet<string> = new Set(["getV2Users", "getV2Idps"]);

/** A 400 of such a request cannot depend on the request: it has a token, and no parameter but a page of one user. */
export const plainListsAccepted: ExchangeRule = {
  type: "exchange",
  id: "plain-lists-accepted",
  section: "4.2",
  severity: "error",
  summary: "A list without parameters, or of users with a page size of 1, is no bad request.",
  operations: [...lists],
  appliesTo: (checked) => checked.status > 0 && isPlain(checked) && hasToken(checked),
  check({ status, query }) {
    const expected = "a list, since the parameters are optional";
    return status === 400 ? [{ expected, actual: "400", pointer: "", keyword: keywordOf(query) }] : [];
  },
  examples: {
    kept: [
      { ...users, name: "the first page" },
      { ...users, ...badRequest, name: "another page size, whose limits are open", target: "/v2/users?pageSize=5000" },
      { ...users, ...badRequest, name: "a token of unknown origin", target: "/v2/users?pageToken=t" },
      { ...users, ...badRequest, name: "a header without a token", requestHeaders: { Authorization: "Bearer " } },
      {
        ...users,
        ...badRequest,
        name: "a timeout that may be invalid",
        requestHeaders: { Authorization: "Bearer t", "Request-Timeout": "0" },
      },
    ],
    broken: [
      { ...users, ...badRequest, name: "users without a page size" },
      { ...users, ...badRequest, name: "users with a page size", target: "/v2/users?pageSize=1" },
      { ...providers, ...badRequest, name: "identity providers" },
    ],
  },
};

function isPlain({ exchange, query, requestText }: CheckedExchange): boolean {
  // From release 3.6 on an invalid timeout is a bad request.
  if (requestText !== "" || headerValues(exchange.request.headers, "request-timeout").length > 0) return false;
  return [...query].every(([name, value]) => name === "pageSize" && value === "1");
}

function hasToken({ exchange, context }: CheckedExchange): boolean {
  if (context.token !== undefined) return context.token === "administrator" || context.token === "plain";
  const values = headerValues(exchange.request.headers, "authorization");
  return values.length === 1 && values.every((value) => /^bearer\s+\S/i.test(value));
}

function keywordOf(query: URLSearchParams): string {
  return query.size === 0 ? "no-parameters" : "page-size";
}
