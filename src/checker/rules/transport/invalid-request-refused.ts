import { redactionMark } from "../../../foundation/secrets/secret-name.ts";
import { schemaFindings } from "../_schema-findings.ts";
import type { ExchangeRule } from "../rule.ts";

const grant = {
  operationId: "postV2UsersUser-idRights",
  target: "/v2/users/a/rights",
  body: '{"newlyGrantedRights":[]}',
} as const;

/** The pointer points into the request. */
export const invalidRequestRefused: ExchangeRule = {
  type: "exchange",
  id: "invalid-request-refused",
  section: "2",
  severity: "error",
  summary: "A request that breaks the documented schema is not answered with success.",
  appliesTo: ({ operation, requestJson, status }) =>
    operation.requestSchema !== undefined && requestJson !== undefined && status > 0,
  check(checked) {
    if (checked.status >= 300 || checked.operation.requestSchema === undefined || checked.requestJson === undefined)
      return [];
    // What a recorder left out was sent as something else.
    const findings = schemaFindings(checked, checked.operation.requestSchema, checked.requestJson).filter(
      ({ value }) => value !== redactionMark,
    );
    return findings.map((finding) => ({
      ...finding,
      expected: `a refusal, since the schema of the request wants: ${finding.expected}`,
      actual: `${checked.status} for a request with ${finding.actual}`,
    }));
  },
  examples: {
    kept: [
      { ...grant, name: "a whole request", requestBody: { userId: "a" }, status: 200 },
      {
        ...grant,
        name: "a refusal",
        requestBody: {},
        status: 400,
        contentType: "text/plain",
        body: "Invalid value for: body",
      },
    ],
    broken: [{ ...grant, name: "no user id", requestBody: { rights: [] }, status: 200 }],
  },
};
