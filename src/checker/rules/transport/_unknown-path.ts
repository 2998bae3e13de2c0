import { isJsonObject } from "../../../foundation/json/json.ts";
import type { JudgedExchange } from "../rule.ts";

/** Whether a node answers as it does where it knows no such path (facts, ledger-api 3.6). */
export function isUnknownPath({ operation, status, responseJson }: JudgedExchange): boolean {
  return (
    operation.api === "ledger" &&
    status === 404 &&
    isJsonObject(responseJson) &&
    Array.isArray(responseJson["errors"]) &&
    responseJson["status"] === 404 &&
    responseJson["code"] === undefined
  );
}
