import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";

/** The operations that coverage expects: those of the spec, and the additional operations that were observed. */
export function expectedOperations(
  { operations }: Pick<Spec, "operations">,
  observed: { has(operationId: string): boolean },
): readonly SpecOperation[] {
  return operations.filter(({ isAdditional, operationId }) => !isAdditional || observed.has(operationId));
}

/** The statuses that the description of an operation names. */
export function documentedStatuses({ responses }: Pick<SpecOperation, "responses">): readonly string[] {
  return Object.keys(responses).filter((status) => status !== "default");
}
