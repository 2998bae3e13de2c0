import type { Operation } from "../operation.ts";
import { allocationContext } from "./_allocation-context.ts";

/** `POST /registry/allocations/v1/{allocationId}/choice-contexts/cancel` (Splice 0.7, HttpTokenStandardAllocationHandler.scala). */
export const getAllocationCancelContextV1: Operation = allocationContext({
  operationId: "getAllocationCancelContextV1",
  types: ["v1"],
  isTransfer: false,
});
