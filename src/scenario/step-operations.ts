import { contracts } from "../spec/contracts.ts";
import { withNeighbours } from "../spec/neighbours.ts";
import { type DescribedApi, operationsOf, type SpecOperation } from "../spec/operation.ts";

/** Everything that a step can call. */
export const stepOperations: readonly SpecOperation<DescribedApi>[] = [
  ...operationsOf("ledger", withNeighbours("ledger", contracts.descriptions.ledger["document"] ?? {}, [])),
  ...operationsOf("registry", withNeighbours("registry", contracts.descriptions.registry["document"] ?? {}, [])),
  ...operationsOf("control", contracts.control),
];
