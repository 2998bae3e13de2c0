import type { Operation, OperationResult, WorldView } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { contextOf, contextValues } from "../registry-context.ts";
import { activeAllocation } from "./_allocation-context.ts";
import { choiceContextResponse } from "./_choice-context-response.ts";

/** The operation for the context of a choice on an instruction to allocate (Splice 0.7, HttpTokenStandardAllocationInstructionHandler.scala). */
export function instructionContext(operationId: string): Operation {
  return {
    operationId,
    perform(call, { registry, nowMs }: WorldView): OperationResult {
      if (![...registry.allocations.values()].some(({ type }) => type === "instruction"))
        return registryError(400, unsupported);
      const id = call.path["allocationInstructionId"] ?? "";
      if (activeAllocation(registry, id, nowMs)?.type !== "instruction")
        return registryError(404, `AllocationInstruction '${id}' not found.`);
      const context = contextOf(registry, nowMs);
      if (context.type === "missing") return registryError(404, context.text);
      const contracts = context.entries.map(({ contract }) => contract);
      return choiceContextResponse(call, registry, contextValues(context.entries, context.data), contracts);
    },
  };
}

/** The refusal of a registry that creates no instructions to allocate. */
const unsupported =
  "Allocation instruction choice contexts are unsupported because amulet does not create allocation instructions.";
