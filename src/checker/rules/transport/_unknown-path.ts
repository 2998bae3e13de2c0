import { isJsonObject } from "../../../foundation/json/json.ts";
import type { CheckedExchange } from "../rule.ts";

/** Whether a node responds as it does where it knows no such path (facts, ledger-api 3.6). */
export function isUnknownPath({ operation, status, responseJson }: CheckedExchange): boolean {
  return (
    operation.api === "ledger" &&
    status === 404 &&
    isJsonObject(responseJson) &&
    Array.isArray(responseJson["errors"]) &&
    responseJson["status"] === 404 &&
    responseJson["code"] === undefined
  );
}
