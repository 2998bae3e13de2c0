import { isJsonObject } from "../../../foundation/json/json.ts";
import type { ExchangeRule } from "../rule.ts";
import { badRequest, ledgerError } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

export const ledger400IsText: ExchangeRule = {
  type: "exchange",
  id: "ledger-400-is-text",
  section: "4",
  severity: "error",
  summary: "A 400 of the ledger is text/plain with a single string.",
  appliesTo: ({ operation, status }) => operation.api === "ledger" && status === 400,
  check({ mediaType, responseBody, responseJson }) {
    if (mediaType !== "text/plain")
      return [{ expected: "text/plain", actual: mediaType ?? "no Content-Type", pointer: "" }];
    if (isJsonObject(responseJson))
      return [
        {
          expected: "one string",
          actual: "a JSON object with the media type text/plain",
          pointer: "",
          keyword: "json",
        },
      ];
    return responseBody.storedLength === 0 ? [{ expected: "one string", actual: "an empty body", pointer: "" }] : [];
  },
  examples: {
    kept: [{ name: "a decoding error", ...users, ...badRequest, contentType: "text/plain; charset=UTF-8" }],
    broken: [
      { name: "an error as JSON", ...users, target: "/v2/users?pageSize=-1", status: 400, body: ledgerError },
      { name: "a JSON object as text", ...users, ...badRequest, body: ledgerError },
      { name: "an empty text", ...users, ...badRequest, body: "" },
    ],
  },
};
