import type { ExchangeRule } from "../rule.ts";

const grant = { operationId: "postV2UsersUser-idRights", target: "/v2/users/a/rights" } as const;

/** A request without a body is left alone: many recorders leave bodies out. The pointer points into the request. */
export const malformedRequestRefused: ExchangeRule = {
  type: "exchange",
  id: "malformed-request-refused",
  section: "4",
  severity: "error",
  summary: "A request whose body is no JSON is not answered with success.",
  appliesTo: ({ operation, requestText, requestJson, status }) =>
    operation.requestSchema !== undefined && requestText !== "" && requestJson === undefined && status > 0,
  check: ({ status, requestText }) =>
    status >= 300
      ? []
      : [{ expected: "a refusal", actual: `${status} for the body ${requestText.slice(0, 80)}`, pointer: "" }],
  examples: {
    kept: [
      { ...grant, name: "a refusal", requestText: "{", status: 400, contentType: "text/plain", body: "Invalid value" },
    ],
    broken: [{ ...grant, name: "a body cut short", requestText: "{", status: 200, body: '{"newlyGrantedRights":[]}' }],
  },
};
