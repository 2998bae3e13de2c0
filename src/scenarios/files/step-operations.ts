import { withAdditionalOperations } from "../../foundation/spec/additional-operations.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { type DescribedApi, operationsOf, type SpecOperation } from "../../foundation/spec/operation.ts";

/** All operations that a step can call, by id. The package loads this module at its first use. */
export const stepOperations: ReadonlyMap<string, SpecOperation<DescribedApi, string>> = new Map(
  [
    ...operationsOf("ledger", withAdditionalOperations("ledger", contracts.descriptions.ledger["spec"] ?? {}, {})),
    ...operationsOf(
      "registry",
      withAdditionalOperations("registry", contracts.descriptions.registry["spec"] ?? {}, {}),
    ),
    ...operationsOf("control", contracts.control),
  ].map((operation) => [operation.operationId, operation]),
);
