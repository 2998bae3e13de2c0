import type { Operation } from "../operation.ts";
import { instructionContext } from "./_instruction-context.ts";

/** `POST /registry/allocation-instruction/v2/{allocationInstructionId}/choice-contexts/accept` (Splice 0.7, HttpTokenStandardAllocationInstructionHandler.scala). */
export const getAllocationInstructionAcceptContext: Operation = instructionContext(
  "getAllocationInstructionAcceptContext",
);
