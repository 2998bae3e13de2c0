import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { asRegistryContract } from "../daml/registry-contract.ts";
import type { RegistryContract } from "../registry/registry-state.ts";
import { uniqueIdentifierProblem } from "./_identifier-problem.ts";
import { connectedSynchronizers } from "./_synchronizer.ts";
import type { OperationResult, WorldView } from "./operation.ts";
import { type Refusal, registryError } from "./refusal.ts";

// Contracts as validator and scan show them (Splice 0.6, scan.yaml). They are those that the registry discloses.

/** The active contracts of a template, `Module:Entity`: those of the registry, then those on the ledgers of all participants. */
export function activeContracts(entity: string, world: WorldView): readonly RegistryContract[] {
  const { registry, ledger, participants, nowMs } = world;
  const found = new Map<string, RegistryContract>();
  for (const contract of registry.contracts.values())
    if (isOf(contract, entity) && nowMs < (contract.closesAtMs ?? Number.POSITIVE_INFINITY))
      found.set(contract.contractId, contract);
  for (const each of [ledger, ...participants.values()]) {
    const home = connectedSynchronizers(each)[0]?.id ?? "";
    for (const contract of each.contracts.values())
      if (isOf(contract, entity) && !found.has(contract.contractId))
        found.set(contract.contractId, asRegistryContract(contract.contractId, contract, home));
  }
  return [...found.values()];
}

function isOf({ templateId }: { readonly templateId: string }, entity: string): boolean {
  return templateId.endsWith(`:${entity}`);
}

/** The first active contract of a template whose member names the party. */
export function contractOfParty(
  entity: string,
  member: string,
  party: string,
  world: WorldView,
): RegistryContract | undefined {
  return activeContracts(entity, world).find(({ payload }) => payload[member] === party);
}

/** The right of a featured app that the party holds. */
export function featuredAppRightOf(party: string, world: WorldView): RegistryContract | undefined {
  return contractOfParty("Splice.Amulet:FeaturedAppRight", "provider", party, world);
}

/** Performs an operation for a party, or refuses one without a valid syntax. */
export function forParty(party: Json | undefined, perform: (party: string) => OperationResult): OperationResult {
  const id = textOf(party);
  return partyRefusal(id) ?? perform(id);
}

/** The refusal of a party without a valid syntax. */
export function partyRefusal(party: string): Refusal | undefined {
  const problem = uniqueIdentifierProblem(party);
  return problem === undefined ? undefined : registryError(400, problem);
}

export function contractJson(contract: RegistryContract): JsonObject {
  const { templateId, contractId, payload, createdEventBlob, createdAt } = contract;
  return {
    template_id: templateId,
    contract_id: contractId,
    payload,
    created_event_blob: createdEventBlob,
    created_at: createdAt,
  };
}

/** A contract with its synchronizer, which is absent while it is being reassigned. */
export function contractWithState(contract: RegistryContract): JsonObject {
  return { contract: contractJson(contract), ...synchronizerOf(contract) };
}

/** The same without the contract if the client knows it. */
export function contractUnlessKnown(contract: RegistryContract, knownIds: readonly string[]): JsonObject {
  return knownIds.includes(contract.contractId) ? synchronizerOf(contract) : contractWithState(contract);
}

function synchronizerOf({ assignment }: RegistryContract): JsonObject {
  return assignment.type === "assigned" ? { domain_id: assignment.synchronizerId } : {};
}

/** The number of a round: `{ number }` in Daml, or the number alone in a fixture. */
export function roundNumber({ payload }: RegistryContract): number {
  const { round } = { round: payload["round"] };
  return Number(textOf(round) || textOf(objectOf(round)["number"]));
}

/** The only contract of a template, or the 404 of a network without it. */
export function singleContract(
  entity: string,
  world: WorldView,
  bodyOf: (contract: RegistryContract) => Readonly<Record<string, Json>>,
): OperationResult {
  const [contract] = activeContracts(entity, world);
  return contract === undefined ? noContract(entity) : responseWith(bodyOf(contract));
}

export function noContract(entity: string): Refusal {
  return registryError(404, `No active ${entity.split(":")[1] ?? entity} contract`);
}

export function responseWith(body: Readonly<Record<string, Json>>): OperationResult {
  return { type: "succeeded", body, changes: [] };
}
