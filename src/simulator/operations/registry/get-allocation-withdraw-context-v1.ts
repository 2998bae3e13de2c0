import type { Operation } from "../operation.ts";
import { allocationContext } from "./_allocation-context.ts";

/** `POST /registry/allocations/v1/{allocationId}/choice-contexts/withdraw` (Splice 0.7, HttpTokenStandardAllocationHandler.scala). */
export const getAllocationWithdrawContextV1: Operation = allocationContext({
  operationId: "getAllocationWithdrawContextV1",
  types: ["v1"],
  isTransfer: false,
});
