import { schemaFindings } from "../_schema-findings.ts";
import type { ExchangeRule } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { isUnknownPath } from "./_unknown-path.ts";

/** Whether an operation that seems to be unknown is there at all is for `operation-exists`. */
export const ledgerErrorShape: ExchangeRule = {
  type: "exchange",
  id: "ledger-error-shape",
  section: "2.2",
  severity: "error",
  summary: "An error of the ledger has the members and types of the ledger error response.",
  appliesTo: ({ operation, status, mediaType }) =>
    operation.api === "ledger" && status >= 400 && mediaType === "application/json",
  check(checked) {
    if (checked.responseJson === undefined)
      return [{ expected: "a JSON ledger error", actual: checked.responseText.slice(0, 80), pointer: "" }];
    if (isUnknownPath(checked))
      return [
        { expected: "a ledger error", actual: "the 404 of an unknown path", pointer: "", keyword: "unknown-path" },
      ];
    return schemaFindings(checked, "/components/schemas/JsCantonError", checked.responseJson);
  },
  examples: {
    kept: [
      {
        name: "an unknown user",
        operationId: "postV2UsersUser-idRights",
        target: "/v2/users/x/rights",
        requestBody: { userId: "x" },
        status: 404,
        body: ledgerError,
      },
    ],
    broken: [
      { name: "an error cut short", operationId: "getV2Users", target: "/v2/users", status: 503, body: '{"code":' },
      {
        name: "no category",
        operationId: "getV2Users",
        target: "/v2/users",
        status: 503,
        body: '{"code":"A","cause":"b","context":{}}',
      },
      {
        name: "the 404 of a path that the node does not know",
        operationId: "getV2Users",
        target: "/v2/users",
        status: 404,
        body: '{"errors":["HttpMethod(GET), uri: http://node/v2/users"],"status":404,"ledgerApiError":null}',
      },
      {
        name: "a null correlation id",
        operationId: "getV2Users",
        target: "/v2/users",
        status: 503,
        body: ledgerError.replace("{", '{"correlationId":null,'),
      },
    ],
  },
};
