import { isJsonObject } from "../../foundation/json/json.ts";
import { microsOfInstant } from "../../foundation/protobuf/instant.ts";
import type { LedgerContract } from "../ledger/ledger-state.ts";
import type { RegistryContract } from "../registry/registry-state.ts";
import { instantOfMicros, jsonOfValue } from "./daml-json.ts";
import { valueFromJson } from "./daml-type.ts";
import { partiesOf } from "./splice-templates.ts";

/** Converts a ledger contract to a contract that the registry discloses. */
export function asRegistryContract(name: string, contract: LedgerContract, synchronizerId: string): RegistryContract {
  const payload = jsonOfValue(contract.argument);
  return {
    name,
    templateId: contract.templateId,
    contractId: contract.contractId,
    packageName: contract.packageName,
    createdEventBlob: contract.createdEventBlob,
    createdAt: instantOfMicros(contract.createdAtMicros),
    payload: isJsonObject(payload) ? payload : {},
    opensAtMs: undefined,
    closesAtMs: undefined,
    signatories: contract.signatories,
    observers: contract.observers,
    assignment: { type: "assigned", synchronizerId, reassignmentCounter: 0 },
  };
}

/** Converts a contract of the registry to a ledger contract, created before the world began. */
export function asLedgerContract(contract: RegistryContract, nodeId: number): LedgerContract {
  const { templateId, signatories } = contract;
  const argument = valueFromJson(contract.payload, { type: "any" });
  const declared = contract.observers;
  const observers = declared.length > 0 ? declared : (partiesOf({ templateId, argument })?.observers ?? []);
  return {
    contractId: contract.contractId,
    templateId,
    packageName: contract.packageName,
    argument,
    signatories,
    observers: observers.filter((party) => !signatories.includes(party)),
    createdAtMicros: microsOfInstant(contract.createdAt) ?? 0n,
    offset: 0n,
    nodeId,
    createdEventBlob: contract.createdEventBlob,
  };
}
