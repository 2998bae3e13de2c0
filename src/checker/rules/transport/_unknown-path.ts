import { isJsonObject } from "../../../foundation/json/json.ts";
import type { CheckedExchange } from "../rule.ts";

/** Whether the response is the node's 404 for an unknown path (Canton 3.5, EndpointsCompanion.scala). */
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
