import { isJsonObject } from "../../../foundation/json/json.ts";
import type { ExchangeRule } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { grant, repeatedGrant } from "../sample-users.ts";

/** The members that every ledger error has and no success. */
const errorMembers = ["code", "cause", "errorCategory"] as const;

/** All members of some success bodies are optional, so an error matches their schema. */
export const successIsNoError: ExchangeRule = {
  type: "exchange",
  id: "success-is-no-error",
  section: "2.2",
  severity: "error",
  summary: "A success of the ledger does not have the body of a ledger error.",
  appliesTo: ({ operation, status, responseJson }) =>
    operation.api === "ledger" && status >= 200 && status < 300 && isJsonObject(responseJson),
  check({ status, responseJson }) {
    const isError = isJsonObject(responseJson) && errorMembers.every((name) => Object.hasOwn(responseJson, name));
    return isError
      ? [{ expected: "the body of a success", actual: `${status} with a ledger error`, pointer: "", keyword: "error" }]
      : [];
  },
  examples: {
    kept: [{ ...repeatedGrant, name: "no newly granted right" }],
    broken: [{ ...grant, name: "a ledger error with status 200", body: ledgerError }],
  },
};
