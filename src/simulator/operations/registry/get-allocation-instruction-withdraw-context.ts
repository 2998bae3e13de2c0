import type { Operation } from "../operation.ts";
import { instructionContext } from "./_instruction-context.ts";

/** `POST /registry/allocation-instruction/v2/{allocationInstructionId}/choice-contexts/withdraw` (Splice 0.7, HttpTokenStandardAllocationInstructionHandler.scala). */
export const getAllocationInstructionWithdrawContext: Operation = instructionContext(
  "getAllocationInstructionWithdrawContext",
);
