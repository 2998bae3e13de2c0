import type { Allocation, RegistryState } from "../../registry/registry-state.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { contextOf, contextValues, usableContract } from "../registry-context.ts";
import { choiceContextResponse } from "./_choice-context-response.ts";
import { withoutEndedRights } from "./_featured-rights.ts";

/** A choice on an allocation. */
interface AllocationChoice {
  readonly operationId: string;
  /** The generations whose allocations the operation finds. */
  readonly types: readonly Allocation["type"][];
  /** Whether the choice transfers the locked holding; if the holding is gone, the lookup gets 404. */
  readonly isTransfer: boolean;
}

/** The operation for the context of a choice on an allocation (Splice 0.7, HttpTokenStandardAllocationHandler.scala). */
export function allocationContext(choice: AllocationChoice): Operation {
  return { operationId: choice.operationId, perform: (call, world) => lookUp(choice, call, world) };
}

function lookUp({ types, isTransfer }: AllocationChoice, call: Call, world: WorldView): OperationResult {
  const { registry, nowMs } = world;
  const id = call.path["allocationId"] ?? "";
  const allocation = activeAllocation(registry, id, nowMs);
  if (allocation === undefined || !types.includes(allocation.type))
    return registryError(404, `AmuletAllocation '${id}' not found.`);
  const locked = usableContract(registry, allocation.locked, nowMs);
  if (locked === undefined && isTransfer) {
    const lockedId = registry.contracts.get(allocation.locked ?? "")?.contractId ?? "";
    return registryError(404, `LockedAmulet '${lockedId}' not found for AmuletAllocation '${id}'`);
  }
  if (locked === undefined)
    return choiceContextResponse(call, registry, { "expire-lock": { tag: "AV_Bool", value: false } }, []);
  const context = contextOf(registry, nowMs);
  if (context.type === "missing") return registryError(404, context.text);
  const right = isTransfer ? usableContract(registry, allocation.featuredAppRight, nowMs) : undefined;
  const rights = right === undefined ? [] : [{ key: "featured-app-right", contract: right }];
  const featured = withoutEndedRights(rights, call.release, world);
  const values = {
    ...contextValues(context.entries, context.data),
    "expire-lock": { tag: "AV_Bool", value: true },
    ...contextValues(featured),
  };
  const contracts = [...context.entries, { contract: locked }, ...featured].map(({ contract }) => contract);
  return choiceContextResponse(call, registry, values, contracts);
}

/** The allocation or instruction with this contract id, unless it is archived. */
export function activeAllocation(registry: RegistryState, id: string, nowMs: number): Allocation | undefined {
  const allocation = registry.allocations.get(id);
  return usableContract(registry, allocation?.contract, nowMs) === undefined ? undefined : allocation;
}
