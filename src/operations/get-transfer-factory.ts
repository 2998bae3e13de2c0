import type { Json, JsonObject } from "../http/json.ts";
import type { RegistryContract, RegistryState } from "../registry/registry-state.ts";
import { isIdentifier } from "../spec/identifiers.ts";
import type { Call, Operation, Outcome, WorldView } from "./_operation.ts";
import { type Refusal, registryError } from "./_refusal.ts";
import { type Account, readTransferChoice, type TransferChoice } from "./_transfer-choice.ts";

/** `POST /registry/transfer-instruction/v2/transfer-factory`: factory and choice context for a transfer (document 4.1; facts, registry 3.1). */
export const getTransferFactory: Operation = { operationId: "getTransferFactory", perform: lookUp };

function lookUp({ body, isEmptyContextTolerated }: Call, { registry, nowMs }: WorldView): Outcome {
  const read = readTransferChoice(body["choiceArguments"] ?? null, isEmptyContextTolerated === true);
  if (read.type === "refused") return registryError(400, read.message);
  const context = contextOf(registry, nowMs);
  if (context.type === "missing") return registryError(404, context.text);
  const special = [read.choice.sender, read.choice.receiver].map(checkOwner).find((found) => found !== undefined);
  if (special !== undefined) return special;
  if (registry.areInstrumentsChecked && !registry.instruments.has(read.choice.instrumentId)) {
    return registryError(404, `No instrument with id ${read.choice.instrumentId} found`);
  }
  const factory = registry.contracts.get(registry.factory.contract);
  if (factory === undefined) return registryError(404, registry.factory.missing);
  const kind = kindOf(read.choice, registry);
  const direct = kind === "direct" ? preapprovalEntries(registry, read.choice.receiver.owner ?? "") : [];
  return answer(registry, factory, kind, [...context.entries, ...direct], body["excludeDebugFields"] === true);
}

interface Entry {
  readonly key: string;
  readonly contract: RegistryContract;
}

type Context =
  | { readonly type: "found"; readonly entries: readonly Entry[] }
  | { readonly type: "missing"; readonly text: string };

/** The contracts of the choice context; of several the newest that is open already. */
function contextOf(registry: RegistryState, nowMs: number): Context {
  const entries: Entry[] = [];
  for (const { key, contracts, missing } of registry.factory.context) {
    const usable = contracts
      .flatMap((name) => registry.contracts.get(name) ?? [])
      .filter(({ opensAtMs }) => opensAtMs === undefined || opensAtMs < nowMs);
    const newest = usable.sort((left, right) => (right.opensAtMs ?? 0) - (left.opensAtMs ?? 0))[0];
    if (newest !== undefined) entries.push({ key, contract: newest });
    else if (missing !== undefined) return { type: "missing", text: missing };
  }
  return { type: "found", entries };
}

function checkOwner({ owner }: Account): Refusal | undefined {
  if (owner === undefined)
    return registryError(400, "expected regular account, but got a special account without an owner");
  if (isIdentifier("partyId", owner)) return undefined;
  if (owner === "") return registryError(400, "Empty string is not a valid unique identifier.");
  if (!owner.includes("::"))
    return registryError(400, `Invalid unique identifier \`${owner}\` with missing namespace.`);
  if (owner.startsWith("::"))
    return registryError(400, `Invalid unique identifier \`${owner}\` with empty identifier.`);
  return registryError(
    400,
    `Identifier decoding of \`${owner}\` failed with: it is not of the form identifier::fingerprint`,
  );
}

/** `self` compares whole accounts; equal owners with different accounts never have a direct transfer. */
function kindOf({ sender, receiver }: TransferChoice, registry: RegistryState): "self" | "direct" | "offer" {
  if (sender.owner === receiver.owner)
    return sender.provider === receiver.provider && sender.id === receiver.id ? "self" : "offer";
  return registry.preapprovals.has(receiver.owner ?? "") ? "direct" : "offer";
}

function preapprovalEntries(registry: RegistryState, receiver: string): readonly Entry[] {
  const preapproval = registry.preapprovals.get(receiver);
  const named = [
    ["transfer-preapproval", preapproval?.contract],
    ["featured-app-right", preapproval?.featuredAppRight],
  ] as const;
  return named.flatMap(([key, name]) => {
    const contract = name === undefined ? undefined : registry.contracts.get(name);
    return contract === undefined ? [] : [{ key, contract }];
  });
}

function answer(
  registry: RegistryState,
  factory: RegistryContract,
  transferKind: string,
  entries: readonly Entry[],
  isDebugExcluded: boolean,
): Outcome {
  const others = entries.map(({ contract }) => contract);
  const disclosed = registry.factory.disclosed === "first" ? [factory, ...others] : [...others, factory];
  const inFlight = disclosed.find(({ assignment }) => assignment.type === "in-flight");
  if (inFlight !== undefined) return beingReassigned(inFlight);
  const values: Record<string, Json> = {};
  for (const { key, contract } of entries) values[key] = { tag: "AV_ContractId", value: contract.contractId };
  const disclosedContracts = disclosed.map((contract) => disclosedJson(contract, isDebugExcluded));
  const body = {
    factoryId: factory.contractId,
    transferKind,
    choiceContext: { choiceContextData: { values }, disclosedContracts },
  };
  return { type: "answered", body, changes: [] };
}

/** The document's 409: a disclosed contract has no synchronizer at the moment (section 2.1). */
function beingReassigned({ name, contractId, assignment }: RegistryContract): Refusal {
  const route = assignment.type === "in-flight" ? ` from ${assignment.source} to ${assignment.target}` : "";
  return registryError(
    409,
    `Contract ${name} (${contractId}) is being reassigned${route}. Try again when the reassignment is complete.`,
  );
}

/** Excluded debug members are null here; whether null is sent or left out is for the profile's renderer. */
function disclosedJson(contract: RegistryContract, isDebugExcluded: boolean): JsonObject {
  return {
    templateId: contract.templateId,
    contractId: contract.contractId,
    createdEventBlob: contract.createdEventBlob,
    synchronizerId: contract.assignment.type === "assigned" ? contract.assignment.synchronizerId : "",
    debugPackageName: isDebugExcluded ? null : contract.packageName,
    debugPayload: isDebugExcluded ? null : contract.payload,
    debugCreatedAt: isDebugExcluded ? null : contract.createdAt,
  };
}
