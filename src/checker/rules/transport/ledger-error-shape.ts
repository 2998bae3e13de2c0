import { schemaFindings } from "../_schema-findings.ts";
import type { ExchangeRule } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";
import { isUnknownPath } from "./_unknown-path.ts";

/** The rule `operation-exists` checks whether the operation exists. */
export const ledgerErrorShape: ExchangeRule = {
  type: "exchange",
  id: "ledger-error-shape",
  section: "2.2",
  severity: "error",
  summary: "A ledger error matches the schema of the ledger error response.",
  yieldsTo: ["ledger-400-is-text"],
  appliesTo: ({ operation, status, mediaType }) =>
    operation.api === "ledger" && status >= 400 && mediaType === "application/json",
  check(checked) {
    if (checked.responseJson === undefined)
      return [{ expected: "a JSON ledger error", actual: checked.responseBody.text().slice(0, 80), pointer: "" }];
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
      { name: "a truncated error", ...users, status: 503, body: '{"code":' },
      { name: "a missing category", ...users, status: 503, body: '{"code":"A","cause":"b","context":{}}' },
      {
        name: "the 404 of an unknown path",
        ...users,
        status: 404,
        body: '{"errors":["HttpMethod(GET), uri: http://node/v2/users"],"status":404,"ledgerApiError":null}',
      },
      {
        name: "a correlation id that is null",
        ...users,
        status: 503,
        body: ledgerError.replace("{", '{"correlationId":null,'),
      },
    ],
  },
};
