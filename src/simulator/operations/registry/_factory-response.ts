import type { RegistryContract, RegistryState } from "../../registry/registry-state.ts";
import type { Call, OperationResult } from "../operation.ts";
import { type Entry, reassignmentOf } from "../registry-context.ts";

/** The result of a factory lookup. */
interface FoundFactory {
  readonly factory: RegistryContract;
  readonly transferKind?: string;
  readonly entries: readonly Entry[];
  /** Disclosed contracts that the context does not name; they come last. */
  readonly unnamed?: readonly RegistryContract[];
}

/** The response with factory and choice context; 409 while a disclosed contract is being reassigned. */
export function factoryResponse(
  { body, rows }: Call,
  registry: RegistryState,
  { factory, transferKind, entries, unnamed = [] }: FoundFactory,
): OperationResult {
  const named = entries.map(({ contract }) => contract);
  const contracts =
    registry.factory.disclosed === "first" ? [factory, ...named, ...unnamed] : [...named, factory, ...unnamed];
  const reassigned = reassignmentOf(contracts);
  if (reassigned !== undefined) return reassigned;
  const hasDebugFields = body["excludeDebugFields"] !== true;
  const response = rows.contexts.of({ factory, transferKind, entries, contracts, hasDebugFields });
  return { type: "succeeded", body: response, changes: [] };
}
