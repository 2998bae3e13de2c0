import { redactionMark } from "../../../foundation/secrets/secret-name.ts";
import { describedFindings, schemaFindings } from "../_schema-findings.ts";
import type { ExchangeRule } from "../rule.ts";
import { badRequest } from "../sample-bodies.ts";
import { grant } from "../sample-users.ts";
import { vetting } from "../sample-vetting.ts";

/** The pointer of a finding points into the request. */
export const invalidRequestRefused: ExchangeRule = {
  type: "exchange",
  id: "invalid-request-refused",
  section: "2",
  severity: "error",
  summary: "A request that does not match its schema is rejected.",
  appliesTo: ({ operation, requestJson, status }) =>
    operation.requestSchema !== undefined && requestJson !== undefined && status > 0,
  check(checked) {
    if (checked.status >= 300 || checked.operation.requestSchema === undefined || checked.requestJson === undefined)
      return [];
    // The recorder redacted the value; the real one was different.
    const findings = [
      ...schemaFindings(checked, checked.operation.requestSchema, checked.requestJson),
      ...describedFindings(checked, ({ isRequired }) => isRequired),
    ].filter(({ value }) => value !== redactionMark);
    return findings.map((finding) => ({
      ...finding,
      expected: `an error, since the request schema requires: ${finding.expected}`,
      actual: `${checked.status} for a request with ${finding.actual}`,
    }));
  },
  examples: {
    kept: [
      { ...grant, name: "a valid request", requestBody: { userId: "a" } },
      { ...grant, name: "an error", requestBody: {}, ...badRequest },
    ],
    broken: [
      { ...grant, name: "a missing user id", requestBody: { rights: [] } },
      { ...vetting, name: "changes of vetting that are no list", requestBody: { changes: "all" } },
    ],
  },
};
