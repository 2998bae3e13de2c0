import { anyMediaType, declaredResponse } from "../../../foundation/spec/operation.ts";
import type { ExchangeRule } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { users } from "../sample-users.ts";

/** Refusals of the HTTP layer of a node, which are text: no operation makes them. */
const ofHttpLayer: readonly number[] = [414, 431];

/** The rule `ledger-400-is-text` checks the 400 of the ledger. */
export const mediaType: ExchangeRule = {
  type: "exchange",
  id: "media-type",
  section: "4",
  severity: "error",
  summary: "The spec lists the media type for the status.",
  appliesTo: (checked) =>
    !(checked.operation.api === "ledger" && [400, ...ofHttpLayer].includes(checked.status)) &&
    ![undefined, anyMediaType].includes(declaredResponse(checked.operation, checked.status)?.mediaType),
  check(checked) {
    const declared = declaredResponse(checked.operation, checked.status)?.mediaType ?? "";
    return checked.mediaType === declared
      ? []
      : [{ expected: declared, actual: checked.mediaType ?? "no Content-Type", pointer: "" }];
  },
  examples: {
    kept: [
      { name: "JSON with a charset", ...users, contentType: "application/json; charset=utf-8" },
      { name: "a header that is too long", ...users, status: 431, contentType: "text/plain", body: "too long" },
    ],
    broken: [
      { name: "a page as text", ...users, contentType: "text/plain" },
      { name: "an error as HTML", ...users, status: 503, contentType: "text/html", body: ledgerError },
    ],
  },
};
