import type { JsonObject } from "../../../foundation/json/json.ts";
import type { RegistryContract, RegistryState } from "../../registry/registry-state.ts";
import type { Call, Outcome } from "../operation.ts";
import { type Entry, reassignmentOf } from "../registry-context.ts";

/** The result of a factory lookup. */
export interface FoundFactory {
  readonly factory: RegistryContract;
  readonly entries: readonly Entry[];
  /** Disclosed contracts that the context does not name; they come last. */
  readonly unnamed?: readonly RegistryContract[];
}

/** The response with factory, choice context and further members; 409 while a disclosed contract is being reassigned. */
export function factoryResponse(
  { body, rows }: Call,
  registry: RegistryState,
  { factory, entries, unnamed = [] }: FoundFactory,
  further: JsonObject,
): Outcome {
  const named = entries.map(({ contract }) => contract);
  const contracts =
    registry.factory.disclosed === "first" ? [factory, ...named, ...unnamed] : [...named, factory, ...unnamed];
  const reassigned = reassignmentOf(contracts);
  if (reassigned !== undefined) return reassigned;
  const hasDebugFields = body["excludeDebugFields"] !== true;
  const choiceContext = rows.contexts.of({ entries, contracts, hasDebugFields });
  return { type: "succeeded", body: { factoryId: factory.contractId, ...further, choiceContext }, changes: [] };
}
