import { schemaFindings } from "../_schema-findings.ts";
import type { ExchangeRule } from "../rule.ts";
import { lookup } from "../sample-bodies.ts";

export const registryErrorShape: ExchangeRule = {
  type: "exchange",
  id: "registry-error-shape",
  section: "2.1",
  severity: "error",
  summary: "A 400, 404 or 409 of the registry is a JSON ErrorResponse.",
  appliesTo: ({ operation, status, mediaType }) =>
    operation.api === "registry" && [400, 404, 409].includes(status) && mediaType === "application/json",
  check(checked) {
    if (checked.responseJson === undefined)
      return [{ expected: "a JSON ErrorResponse", actual: checked.responseBody.text().slice(0, 80), pointer: "" }];
    return schemaFindings(checked, "/components/schemas/ErrorResponse", checked.responseJson);
  },
  examples: {
    kept: [{ ...lookup, name: "a 409 with an error", status: 409, body: '{"error":"being reassigned"}' }],
    broken: [
      { ...lookup, name: "a truncated error", status: 404, body: '{"error":' },
      { ...lookup, name: "a 400 without the member error", status: 400, body: "{}" },
      { ...lookup, name: "an error in another member", status: 409, body: '{"message":"being reassigned"}' },
      { ...lookup, name: "an error that is not a string", status: 404, body: '{"error":null}' },
    ],
  },
};
