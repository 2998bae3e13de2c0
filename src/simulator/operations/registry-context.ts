import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { ContextEntry, RegistryContract, RegistryState } from "../registry/registry-state.ts";
import { type Refusal, registryError } from "./refusal.ts";

// Choice contexts of a registry: named contracts, and those contracts disclosed (Splice 0.7, HttpTokenStandardTransferInstructionHandler.scala).

/** A contract with its key in the choice context. */
export interface Entry {
  readonly key: string;
  readonly contract: RegistryContract;
}

type Context =
  | { readonly type: "found"; readonly entries: readonly Entry[]; readonly data: readonly ContextEntry[] }
  | { readonly type: "missing"; readonly text: string };

/** The contracts of the choice context; of several, the newest that is open. */
export function contextOf(registry: RegistryState, nowMs: number): Context {
  return contextWith(registry.factory.context, registry, nowMs);
}

/** The contracts of the context of the second generation for allocations and settlements. */
export function allocationContextOf(registry: RegistryState, nowMs: number): Context {
  const keys = registry.factory.context.filter(({ isInAllocationsV2 }) => isInAllocationsV2);
  return contextWith(keys, registry, nowMs);
}

function contextWith(keys: readonly ContextEntry[], registry: RegistryState, nowMs: number): Context {
  const entries: Entry[] = [];
  const data = keys.filter((entry) => entry.data !== undefined);
  for (const { key, contracts, missing } of keys.filter((entry) => entry.data === undefined)) {
    const newest = newestUsable(registry, contracts, nowMs);
    if (newest !== undefined) entries.push({ key, contract: newest });
    else if (missing !== undefined) return { type: "missing", text: missing };
  }
  return { type: "found", entries, data };
}

/** Of several that opened at the same time, the first. */
function newestUsable(registry: RegistryState, names: readonly string[], nowMs: number): RegistryContract | undefined {
  let newest: RegistryContract | undefined;
  for (const name of names) {
    const contract = usableContract(registry, name, nowMs);
    if (contract === undefined) continue;
    if (newest === undefined || (contract.opensAtMs ?? 0) > (newest.opensAtMs ?? 0)) newest = contract;
  }
  return newest;
}

/** A contract by its name, if it is open and not archived. */
export function usableContract(
  registry: RegistryState,
  name: string | undefined,
  nowMs: number,
): RegistryContract | undefined {
  const contract = name === undefined ? undefined : registry.contracts.get(name);
  if (contract === undefined) return undefined;
  const { opensAtMs = Number.NEGATIVE_INFINITY, closesAtMs = Number.POSITIVE_INFINITY } = contract;
  return opensAtMs < nowMs && nowMs < closesAtMs ? contract : undefined;
}

/** The pre-approval of a receiver, if it is usable and the registry discloses it. */
export function usablePreapproval(
  registry: RegistryState,
  receiver: string,
  nowMs: number,
): RegistryContract | undefined {
  return usableContract(registry, registry.preapprovals.get(receiver)?.contract, nowMs);
}

/** The choiceContextData of these entries, and of those with data. */
export function contextValues(entries: readonly Entry[], data: readonly ContextEntry[] = []): Record<string, Json> {
  return Object.fromEntries([
    ...entries.map(({ key, contract }) => [key, { tag: "AV_ContractId", value: contract.contractId }] as const),
    ...data.map((entry) => [entry.key, entry.data ?? {}] as const),
  ]);
}

/** Whether a response has debug members. */
export function hasDebugMembers({ factory }: RegistryState, body: JsonObject): boolean {
  const { debugMembers } = factory;
  return debugMembers === undefined ? body["excludeDebugFields"] !== true : debugMembers === "always";
}

/** The refusal of a lookup that discloses a contract in reassignment; undefined if all are assigned. */
export function reassignmentOf(contracts: readonly RegistryContract[]): Refusal | undefined {
  const inFlight = contracts.find(({ assignment }) => assignment.type === "in-flight");
  return inFlight === undefined ? undefined : beingReassigned(inFlight);
}

/** The 409 of the spec: a disclosed contract is being reassigned (spec §2.1). */
function beingReassigned({ name, contractId, assignment }: RegistryContract): Refusal {
  const route = assignment.type === "in-flight" ? ` from ${assignment.source} to ${assignment.target}` : "";
  return registryError(
    409,
    `Contract ${name} (${contractId}) is being reassigned${route}. Try again when the reassignment is complete.`,
  );
}

/** A contract with its debug members. */
export function disclosedJson(contract: RegistryContract): JsonObject {
  return {
    templateId: contract.templateId,
    contractId: contract.contractId,
    createdEventBlob: contract.createdEventBlob,
    synchronizerId: contract.assignment.type === "assigned" ? contract.assignment.synchronizerId : "",
    debugPackageName: contract.packageName,
    debugPayload: contract.payload,
    debugCreatedAt: contract.createdAt,
  };
}

/** A contract without debug members: they are null, and the renderer of the profile sends or omits null. */
export function disclosedBriefly(contract: RegistryContract): JsonObject {
  return { ...disclosedJson(contract), debugPackageName: null, debugPayload: null, debugCreatedAt: null };
}
