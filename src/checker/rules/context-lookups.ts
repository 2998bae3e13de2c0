import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { memberAt } from "./members.ts";
import type { CheckedExchange } from "./rule.ts";

const inBothGenerations = (...names: readonly string[]) => names.flatMap((name) => [name, `${name}V1`]);

/** The lookups of a transfer factory. */
export const transferFactories: readonly string[] = inBothGenerations("getTransferFactory");

/** The lookups of a factory with its choice context. */
export const factories: readonly string[] = [
  ...transferFactories,
  ...inBothGenerations("getAllocationFactory"),
  "getSettlementFactory",
];

/** The lookups of the context of a choice on a contract. The response is the choice context. */
export const choiceContexts: readonly string[] = [
  ...inBothGenerations(
    "getTransferInstructionAcceptContext",
    "getTransferInstructionRejectContext",
    "getTransferInstructionWithdrawContext",
    "getAllocationWithdrawContext",
    "getAllocationCancelContext",
  ),
  "getAllocationTransferContextV1",
  "getAllocationInstructionAcceptContext",
  "getAllocationInstructionWithdrawContext",
];

/** The registry operations that give a choice context with its disclosed contracts. */
export const contextLookups: readonly string[] = [...factories, ...choiceContexts];

/** A choice context, and its JSON pointer in the response. */
export interface PlacedContext {
  readonly context: JsonObject;
  readonly pointer: string;
}

/** The choice context in the response of a lookup; undefined in another response. */
export function placedContext(operationId: string, response: Json | undefined): PlacedContext | undefined {
  if (choiceContexts.includes(operationId))
    return isJsonObject(response) ? { context: response, pointer: "" } : undefined;
  const context = memberAt(response, "choiceContext");
  return isJsonObject(context) ? { context, pointer: "/choiceContext" } : undefined;
}

/** Whether this is one of the lookups, with status 200. */
export function isSuccessfulLookup(
  { operation, status, responseJson }: CheckedExchange,
  lookups: readonly string[] = contextLookups,
): boolean {
  return lookups.includes(operation.operationId) && status === 200 && isJsonObject(responseJson);
}
