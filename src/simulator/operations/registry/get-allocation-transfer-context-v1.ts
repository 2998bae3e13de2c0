import type { Operation } from "../operation.ts";
import { allocationContext } from "./_allocation-context.ts";

/** `POST /registry/allocations/v1/{allocationId}/choice-contexts/execute-transfer` (Splice 0.7, HttpTokenStandardAllocationHandler.scala). */
export const getAllocationTransferContextV1: Operation = allocationContext({
  operationId: "getAllocationTransferContextV1",
  types: ["v1"],
  isTransfer: true,
});
