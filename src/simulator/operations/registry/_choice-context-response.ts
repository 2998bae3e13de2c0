import type { Json } from "../../../foundation/json/json.ts";
import type { RegistryContract, RegistryState } from "../../registry/registry-state.ts";
import type { Call, OperationResult } from "../operation.ts";
import { disclosedBriefly, disclosedJson, hasDebugMembers, reassignmentOf } from "../registry-context.ts";

/** A choice context with its disclosed contracts; 409 while one of them is being reassigned. */
export function choiceContextResponse(
  call: Call,
  registry: RegistryState,
  values: Readonly<Record<string, Json>>,
  contracts: readonly RegistryContract[],
): OperationResult {
  const reassigned = reassignmentOf(contracts);
  if (reassigned !== undefined) return reassigned;
  const disclosedContracts = contracts.map(hasDebugMembers(registry, call.body) ? disclosedJson : disclosedBriefly);
  return { type: "succeeded", body: { choiceContextData: { values }, disclosedContracts }, changes: [] };
}
