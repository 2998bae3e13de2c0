import { schemaFindings } from "../_schema-findings.ts";
import type { ExchangeRule } from "../rule.ts";
import { lookupRequest, lookupResponse, lookupTarget, usersPage } from "../sample-bodies.ts";

/** Emptiness of the identity providers is left to `non-empty-lists`. */
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
      return [{ expected: "JSON", actual: checked.responseText.slice(0, 80), pointer: "" }];
    return schemaFindings(checked, schema, checked.responseJson).filter(
      ({ pointer, keyword }) => !(keyword === "minItems" && pointer === "/identityProviderConfigs"),
    );
  },
  examples: {
    kept: [
      { name: "a page", operationId: "getV2Users", target: "/v2/users", status: 200, body: usersPage },
      {
        name: "no identity provider",
        operationId: "getV2Idps",
        target: "/v2/idps",
        status: 200,
        body: '{"identityProviderConfigs":[]}',
      },
    ],
    broken: [
      {
        name: "users that are no list",
        operationId: "getV2Users",
        target: "/v2/users",
        status: 200,
        body: '{"users":{}}',
      },
      { name: "a body cut short", operationId: "getV2Users", target: "/v2/users", status: 200, body: '{"users":[' },
      {
        name: "a kind in capitals",
        operationId: "getTransferFactory",
        target: lookupTarget,
        requestBody: lookupRequest,
        status: 200,
        body: lookupResponse({}, { transferKind: "Offer" }),
      },
    ],
  },
};
