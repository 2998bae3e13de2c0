import { withNeighbours } from "../../foundation/spec/additional-operations.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import { type DescribedApi, operationsOf, type SpecOperation } from "../../foundation/spec/operation.ts";

/** Everything that a step can call. */
export const stepOperations: readonly SpecOperation<DescribedApi>[] = [
  ...operationsOf("ledger", withNeighbours("ledger", contracts.descriptions.ledger["document"] ?? {}, [])),
  ...operationsOf("registry", withNeighbours("registry", contracts.descriptions.registry["document"] ?? {}, [])),
  ...operationsOf("control", contracts.control),
];
