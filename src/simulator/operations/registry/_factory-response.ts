import type { ContextEntry, RegistryContract, RegistryState } from "../../registry/registry-state.ts";
import type { Call, OperationResult } from "../operation.ts";
import { type Entry, hasDebugMembers, reassignmentOf } from "../registry-context.ts";

/** The result of a factory lookup. */
interface FoundFactory {
  readonly factory: RegistryContract;
  readonly transferKind?: string;
  readonly entries: readonly Entry[];
  readonly data: readonly ContextEntry[];
  /** Disclosed contracts that the context does not name; they come last. */
  readonly unnamed?: readonly RegistryContract[];
}

/** The response with factory and choice context; 409 while a disclosed contract is being reassigned. */
export function factoryResponse(
  call: Call,
  registry: RegistryState,
  { factory, transferKind, entries, data, unnamed = [] }: FoundFactory,
): OperationResult {
  const named = entries.map(({ contract }) => contract);
  const contracts =
    registry.factory.disclosed === "first" ? [factory, ...named, ...unnamed] : [...named, factory, ...unnamed];
  const reassigned = reassignmentOf(contracts);
  if (reassigned !== undefined) return reassigned;
  const hasDebugFields = hasDebugMembers(registry, call.body);
  const response = call.rows.contexts.of({ factory, transferKind, entries, data, contracts, hasDebugFields });
  return { type: "succeeded", body: response, changes: [] };
}
