import { schemaFindings } from "../_schema-findings.ts";
import type { ExchangeRule } from "../rule.ts";
import { lookup, lookupResponse } from "../sample-bodies.ts";
import { providers, users } from "../sample-users.ts";

/** The rule `non-empty-lists` checks that the list of identity providers is not empty. */
export const bodySchema: ExchangeRule = {
  type: "exchange",
  id: "body-schema",
  section: "4",
  severity: "error",
  summary: "The body of a 200 is JSON with the members, types and formats of the spec.",
  appliesTo: ({ status, mediaType }) => status === 200 && mediaType === "application/json",
  check(checked) {
    const schema = checked.operation.responses["200"]?.schema;
    if (schema === undefined) return [];
    if (checked.responseJson === undefined)
      return [{ expected: "JSON", actual: checked.responseBody.text().slice(0, 80), pointer: "" }];
    return schemaFindings(checked, schema, checked.responseJson).filter(
      ({ pointer, keyword }) => !(keyword === "minItems" && pointer === "/identityProviderConfigs"),
    );
  },
  examples: {
    kept: [
      { name: "a page of users", ...users },
      { name: "an empty list of identity providers", ...providers, body: '{"identityProviderConfigs":[]}' },
    ],
    broken: [
      { name: "users that are not a list", ...users, body: '{"users":{}}' },
      {
        name: "a missing member",
        operationId: "getV2PackagesPackage-idStatus",
        target: "/v2/packages/a/status",
        status: 200,
        body: "{}",
      },
      { name: "a time that is not a date-time", ...lookup, body: lookupResponse({ debugCreatedAt: "yesterday" }) },
      { name: "a truncated body", ...users, body: '{"users":[' },
      { name: "a transfer kind with a capital letter", ...lookup, body: lookupResponse({}, { transferKind: "Offer" }) },
    ],
  },
};
