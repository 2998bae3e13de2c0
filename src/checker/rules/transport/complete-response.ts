import type { FailedResponse } from "../../../foundation/http/failed-response.ts";
import type { ExchangeRule } from "../rule.ts";
import { users } from "../sample-users.ts";

export const completeResponse: ExchangeRule = {
  type: "exchange",
  id: "complete-response",
  section: "4",
  severity: "error",
  summary: "Every request gets a complete HTTP response in time.",
  appliesTo: ({ exchange: { response } }) => response.type === "response" || response.kind !== "unexplained",
  check({ exchange: { response } }) {
    if (response.type === "response") return [];
    const expected = "a complete response";
    return [{ expected, actual: response.reason ?? reasons[response.kind], pointer: "", keyword: response.kind }];
  },
  examples: {
    kept: [{ ...users, name: "a page of users" }],
    broken: [{ ...users, name: "a reset connection", status: 0, body: "" }],
  },
};

const reasons: Readonly<Record<FailedResponse["kind"], string>> = {
  reset: "the connection was reset",
  truncated: "the response is incomplete",
  "timed-out": "timeout without a response",
  "too-large": "the response exceeds the size limit",
  unexplained: "no response",
};
