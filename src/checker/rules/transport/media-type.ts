import { declaredResponse } from "../../../foundation/spec/operation.ts";
import type { ExchangeRule } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

/** The rule `ledger-400-is-text` checks the 400 of the ledger. */
export const mediaType: ExchangeRule = {
  type: "exchange",
  id: "media-type",
  section: "4",
  severity: "error",
  summary: "The spec lists the media type for the status.",
  appliesTo: (checked) =>
    !(checked.operation.api === "ledger" && checked.status === 400) &&
    declaredResponse(checked.operation, checked.status)?.mediaType !== undefined,
  check(checked) {
    const declared = declaredResponse(checked.operation, checked.status)?.mediaType ?? "";
    return checked.mediaType === declared
      ? []
      : [{ expected: declared, actual: checked.mediaType ?? "no Content-Type", pointer: "" }];
  },
  examples: {
    kept: [{ name: "JSON with a charset", ...users, contentType: "application/json; charset=utf-8" }],
    broken: [
      { name: "a page as text", ...users, contentType: "text/plain" },
      { name: "an error as HTML", ...users, status: 503, contentType: "text/html", body: ledgerError },
    ],
  },
};
