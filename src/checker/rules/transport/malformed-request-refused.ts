import { headerValues } from "../../../foundation/http/header.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";
import { badRequest } from "../sample-bodies.ts";
import { grant } from "../sample-users.ts";

/** The pointer of a finding points into the request. */
export const malformedRequestRefused: ExchangeRule = {
  type: "exchange",
  id: "malformed-request-refused",
  section: "4",
  severity: "error",
  summary: "A request whose body is not JSON is rejected.",
  appliesTo: (checked) =>
    checked.operation.requestSchema !== undefined &&
    (checked.requestText !== "" || isEmpty(checked)) &&
    checked.requestJson === undefined &&
    checked.status > 0,
  check: ({ status, requestText }) =>
    status >= 300
      ? []
      : [{ expected: "an error", actual: `${status} for the body ${requestText.slice(0, 80)}`, pointer: "" }],
  examples: {
    kept: [{ ...grant, name: "an error", ...badRequest, requestText: "{" }],
    broken: [
      {
        ...grant,
        name: "success for a request of a probe without a body",
        requestText: "",
        context: { ownPrefix: "a-" },
      },
      {
        ...grant,
        name: "success for a recorded request without a body",
        requestText: "",
        requestHeaders: { "Content-Length": "0" },
      },
      { ...grant, name: "success for a truncated body", requestText: "{" },
    ],
  },
};

/** Many recorders omit bodies, so a body is missing for certain only in a request of a probe, or of the length 0. */
function isEmpty({ context, exchange }: CheckedExchange): boolean {
  const lengths = headerValues(exchange.request.headers, "content-length");
  return context.ownPrefix !== undefined || (lengths.length > 0 && lengths.every((length) => length.trim() === "0"));
}
