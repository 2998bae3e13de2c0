import { headerValues } from "../../../foundation/http/header.ts";
import type { CheckedExchange, Finding } from "../../rules/rule.ts";
import { usersPage } from "../../rules/sample-bodies.ts";
import type { ClientRule } from "../client-rule.ts";

const list = { operationId: "getV2Users", target: "/v2/users", status: 200, body: usersPage } as const;
const refusal = '{"code":"UNAUTHENTICATED","cause":"no token","context":{},"errorCategory":6}';
const secretParameter = /^(?:access[_-]?token|id[_-]?token|token|jwt|bearer|auth|authorization|api[_-]?key)$/i;

/** No token at all is left alone: recorders leave the header out, and a node may ask for none. */
export const tokenInHeader: ClientRule = {
  type: "exchange",
  id: "token-in-header",
  section: "5",
  severity: "error",
  sentence:
    "Every ledger JSON API operation in section 4.2 requires a bearer token in the HTTP header `Authorization: Bearer <ACCESS_TOKEN>`.",
  summary: "A token goes to the ledger in the header Authorization, by the scheme Bearer, and nowhere else.",
  why: "A node takes a token elsewhere for none and returns 401 without saying why. What stands in a URL ends up in the logs of every proxy on the way.",
  advice: "Send the token as `Authorization: Bearer TOKEN`.",
  appliesTo: ({ operation }) => operation.api === "ledger" && !operation.isAdditional,
  check: (checked) => [...inQuery(checked), ...inScheme(checked), ...inProtocol(checked)],
  examples: {
    kept: [
      { ...list, name: "a bearer token" },
      {
        ...list,
        name: "an operation outside the spec",
        operationId: "getV2Version",
        target: "/v2/version?access_token=abc",
      },
      { ...list, name: "a parameter for a token, and none in it", target: "/v2/users?token=" },
      { ...list, name: "a page token", target: "/v2/users?pageToken=t" },
      { ...list, name: "no token", requestHeaders: { Authorization: "" }, status: 401, body: refusal },
    ],
    broken: [
      { ...list, name: "a token in the query", target: "/v2/users?access_token=abc", status: 401, body: refusal },
      {
        ...list,
        name: "the scheme Basic",
        requestHeaders: { Authorization: "Basic YTpi" },
        status: 401,
        body: refusal,
      },
      {
        ...list,
        name: "a token without a scheme",
        requestHeaders: { Authorization: "eyJh.eyJi.c" },
        status: 401,
        body: refusal,
      },
      {
        ...list,
        name: "a token in the header of a web socket",
        requestHeaders: { Authorization: "", "Sec-WebSocket-Protocol": "jwt.token.eyJh.eyJi.c" },
      },
    ],
  },
};

const expected = "the token in the header Authorization, by the scheme Bearer";

const none: readonly Finding[] = [];

/** No operation of the spec has a parameter of such a name. */
function inQuery({ query }: CheckedExchange): readonly Finding[] {
  if (query.size === 0) return none;
  return [...query]
    .filter(([name, value]) => secretParameter.test(name) && value !== "")
    .map(([name]) => ({ expected, actual: `a token in the query parameter ${name}`, pointer: "", keyword: "query" }));
}

function inScheme({ exchange }: CheckedExchange): readonly Finding[] {
  const [value] = headerValues(exchange.request.headers, "authorization");
  if (value === undefined || /^bearer(?:\s|$)/i.test(value)) return [];
  const scheme = /^([a-z][\w-]{0,30})\s/i.exec(value)?.[1];
  const actual = scheme === undefined ? "a header without a scheme" : `the scheme ${scheme}`;
  return [{ expected, actual, pointer: "", keyword: "scheme" }];
}

function inProtocol({ exchange }: CheckedExchange): readonly Finding[] {
  const { headers } = exchange.request;
  const isElsewhere = headerValues(headers, "sec-websocket-protocol").some((value) => /\bjwt\.token\./.test(value));
  if (!isElsewhere || headerValues(headers, "authorization").length > 0) return [];
  return [{ expected, actual: "a token in the header Sec-WebSocket-Protocol", pointer: "", keyword: "protocol" }];
}
