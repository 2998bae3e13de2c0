import { textAt } from "../members.ts";
import type { CheckedExchange } from "../rule.ts";

/** Operations that allocate a party. */
export const allocations: ReadonlySet<string> = new Set(["postV2PartiesExternalAllocate", "postV2Parties"]);

/** The user to whom an allocation gives rights; undefined if it names none, or the profile ignores the member. */
export function allocationUser({ spec, operation, requestJson }: CheckedExchange): string | undefined {
  if (!allocations.has(operation.operationId) || operation.requestSchema === undefined) return undefined;
  const { properties } = spec.shapes.ledger.shapeAt(operation.requestSchema);
  return properties.has("userId") ? textAt(requestJson, "userId") || undefined : undefined;
}
