import { headerValue, headerValues } from "../../../foundation/http/header.ts";
import type { CheckedExchange, Finding } from "../../rules/rule.ts";
import { users } from "../../rules/sample-users.ts";
import type { ClientRule } from "../client-rule.ts";
import { secretParameter } from "./_tokens.ts";

const refusal = '{"code":"UNAUTHENTICATED","cause":"no token","context":{},"errorCategory":6}';

/**
 * A request without a token breaks the rule if the stub refuses it for that. Others are skipped: recorders omit the header, and
 * a node may require no token.
 */
export const tokenInHeader: ClientRule = {
  type: "exchange",
  id: "token-in-header",
  section: "5",
  severity: "error",
  sentence: "A request to any ledger operation of section 4.2 needs the HTTP header `Authorization: Bearer TOKEN`.",
  summary: "A token is sent to the ledger only as `Authorization: Bearer TOKEN`.",
  why: "A node ignores a token elsewhere and returns 401 without a reason. Tokens in URLs end up in the logs of every proxy.",
  advice: "Send the token as `Authorization: Bearer TOKEN`.",
  appliesTo: ({ operation }) => operation.api === "ledger" && !operation.isAdditional,
  check: (checked) => {
    const elsewhere = inQuery(checked).concat(inScheme(checked), inProtocol(checked));
    return elsewhere.length > 0 ? elsewhere : missing(checked);
  },
  examples: {
    kept: [
      { ...users, name: "a bearer token" },
      {
        ...users,
        name: "an additional operation",
        operationId: "getV2Version",
        target: "/v2/version?access_token=abc",
      },
      { ...users, name: "an empty token parameter", target: "/v2/users?token=" },
      { ...users, name: "a page token", target: "/v2/users?pageToken=t" },
      { ...users, name: "no token at a node that requires none", requestHeaders: { Authorization: "" } },
    ],
    broken: [
      { ...users, name: "a token in the query", target: "/v2/users?access_token=abc", status: 401, body: refusal },
      {
        ...users,
        name: "the scheme Basic",
        requestHeaders: { Authorization: "Basic YTpi" },
        status: 401,
        body: refusal,
      },
      {
        ...users,
        name: "a token without a scheme",
        requestHeaders: { Authorization: "eyJh.eyJi.c" },
        status: 401,
        body: refusal,
      },
      {
        ...users,
        name: "a token in the header of a WebSocket",
        requestHeaders: { Authorization: "", "Sec-WebSocket-Protocol": "jwt.token.eyJh.eyJi.c" },
      },
    ],
  },
};

const expected = "the token in `Authorization: Bearer TOKEN`";

const none: readonly Finding[] = [];

function missing({ context, status }: CheckedExchange): readonly Finding[] {
  if (context.token !== "none" || status !== 401) return none;
  return [{ expected, actual: "no token", pointer: "", keyword: "missing" }];
}

/** No operation of the spec has such a parameter. */
function inQuery({ query }: CheckedExchange): readonly Finding[] {
  const found: Finding[] = [];
  query.forEach((value, name) => {
    const actual = `a token in the query parameter ${name}`;
    if (secretParameter.test(name) && value !== "") found.push({ expected, actual, pointer: "", keyword: "query" });
  });
  return found;
}

function inScheme({ exchange }: CheckedExchange): readonly Finding[] {
  const value = headerValue(exchange.request.headers, "authorization");
  if (value === undefined || /^bearer(?:\s|$)/i.test(value)) return none;
  const scheme = /^([a-z][\w-]{0,30})\s/i.exec(value)?.[1];
  const actual = scheme === undefined ? "a header without a scheme" : `the scheme ${scheme}`;
  return [{ expected, actual, pointer: "", keyword: "scheme" }];
}

function inProtocol({ exchange }: CheckedExchange): readonly Finding[] {
  const { headers } = exchange.request;
  if (headerValue(headers, "sec-websocket-protocol") === undefined) return none;
  const isElsewhere = headerValues(headers, "sec-websocket-protocol").some((value) => /\bjwt\.token\./.test(value));
  if (!isElsewhere || headerValue(headers, "authorization") !== undefined) return none;
  return [{ expected, actual: "a token in the header Sec-WebSocket-Protocol", pointer: "", keyword: "protocol" }];
}
