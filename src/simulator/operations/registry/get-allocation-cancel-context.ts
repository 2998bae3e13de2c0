import type { Operation } from "../operation.ts";
import { allocationContext } from "./_allocation-context.ts";

/** `POST /registry/allocations/v2/{allocationId}/choice-contexts/cancel` (Splice 0.7, HttpTokenStandardAllocationHandler.scala). */
export const getAllocationCancelContext: Operation = allocationContext({
  operationId: "getAllocationCancelContext",
  types: ["v2", "v1"],
  isTransfer: false,
});
