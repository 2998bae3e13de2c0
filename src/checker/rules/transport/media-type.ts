import type { ExchangeRule, JudgedExchange } from "../rule.ts";
import { ledgerError, usersPage } from "../sample-bodies.ts";

/** The 400 of the ledger has a rule of its own. */
export const mediaType: ExchangeRule = {
  type: "exchange",
  id: "media-type",
  section: "4",
  severity: "error",
  summary: "The media type is the one that the document names for the status.",
  appliesTo: (judged) =>
    !(judged.operation.api === "ledger" && judged.status === 400) && declaredFor(judged) !== undefined,
  check(judged) {
    const declared = declaredFor(judged) ?? "";
    return judged.mediaType === declared
      ? []
      : [{ expected: declared, actual: judged.mediaType ?? "no Content-Type", pointer: "" }];
  },
  examples: {
    kept: [
      {
        name: "JSON with a charset",
        operationId: "getV2Users",
        target: "/v2/users",
        status: 200,
        contentType: "application/json; charset=utf-8",
        body: usersPage,
      },
    ],
    broken: [
      {
        name: "a page as text",
        operationId: "getV2Users",
        target: "/v2/users",
        status: 200,
        contentType: "text/plain",
        body: usersPage,
      },
      {
        name: "an error as HTML",
        operationId: "getV2Users",
        target: "/v2/users",
        status: 503,
        contentType: "text/html",
        body: ledgerError,
      },
    ],
  },
};

function declaredFor({ operation, status }: JudgedExchange): string | undefined {
  return (operation.responses[String(status)] ?? (status >= 400 ? operation.responses["default"] : undefined))
    ?.mediaType;
}
