import { invalidField, missingField, type Refusal } from "./refusal.ts";

/** The refusal of a text that is not a contract id; undefined if it is one. The stub accepts one of any length. */
export function contractIdProblem(contractId: string): Refusal | undefined {
  if (contractId === "") return missingField("contract_id");
  return /^(?:[0-9a-f]{2})+$/.test(contractId)
    ? undefined
    : invalidField("contract_id", `cannot parse ContractId "${contractId}"`);
}
