import { contracts } from "../spec/contracts.ts";
import { type DescribedApi, operationsOf, type SpecOperation } from "../spec/operation.ts";

/** Everything that a step can call. */
export const stepOperations: readonly SpecOperation<DescribedApi>[] = [
  ...operationsOf("ledger", contracts.descriptions.ledger["document"] ?? {}),
  ...operationsOf("registry", contracts.descriptions.registry["document"] ?? {}),
  ...operationsOf("control", contracts.control),
];
