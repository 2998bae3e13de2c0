import type { ExchangeRule } from "../rule.ts";
import { grant } from "../sample-users.ts";

/** Requests without a body are skipped unless a probe sent them, since many recorders omit bodies. The pointer points into the request. */
export const malformedRequestRefused: ExchangeRule = {
  type: "exchange",
  id: "malformed-request-refused",
  section: "4",
  severity: "error",
  summary: "A request whose body is not JSON is rejected.",
  appliesTo: ({ operation, requestText, requestJson, status, context }) =>
    operation.requestSchema !== undefined &&
    (requestText !== "" || context.ownPrefix !== undefined) &&
    requestJson === undefined &&
    status > 0,
  check: ({ status, requestText }) =>
    status >= 300
      ? []
      : [{ expected: "an error", actual: `${status} for the body ${requestText.slice(0, 80)}`, pointer: "" }],
  examples: {
    kept: [
      { ...grant, name: "an error", requestText: "{", status: 400, contentType: "text/plain", body: "Invalid value" },
    ],
    broken: [
      {
        ...grant,
        name: "success for a request of a probe without a body",
        requestText: "",
        context: { ownPrefix: "a-" },
      },
      { ...grant, name: "success for a truncated body", requestText: "{" },
    ],
  },
};
