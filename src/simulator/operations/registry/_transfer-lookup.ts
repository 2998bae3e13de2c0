import type { Generation } from "../../daml/token-types.ts";
import { ofInstrument, type RegistryState } from "../../registry/registry-state.ts";
import { uniqueIdentifierProblem } from "../_identifier-problem.ts";
import type { Call, OperationResult, WorldView } from "../operation.ts";
import { type Refusal, registryError } from "../refusal.ts";
import { contextOf, type Entry } from "../registry-context.ts";
import { factoryResponse } from "./_factory-response.ts";
import { withoutEndedRights } from "./_featured-rights.ts";
import { type Account, readTransferChoice, type TransferChoice } from "./_transfer-choice.ts";

/** Factory and choice context for a transfer, from the choice arguments of v1 or v2 (Splice 0.7, HttpTokenStandardTransferInstructionHandler.scala). */
export function lookUpTransfer(generation: Generation, call: Call, world: WorldView): OperationResult {
  const { body, release } = call;
  const { nowMs } = world;
  const read = readTransferChoice(body["choiceArguments"] ?? null, generation, release.isRegistryByLetter);
  if (read.type === "refused") return registryError(400, read.message);
  const registry = ofInstrument(world.registry, read.choice.instrumentId);
  const context = contextOf(registry, nowMs);
  if (context.type === "missing") return registryError(404, context.text);
  const special = checkOwner(read.choice.sender) ?? checkOwner(read.choice.receiver);
  if (special !== undefined) return special;
  if (registry.areInstrumentsChecked && !registry.instruments.has(read.choice.instrumentId)) {
    return registryError(404, `No instrument with id ${read.choice.instrumentId} found`);
  }
  const factory = registry.contracts.get(registry.factory.contract);
  if (factory === undefined) return registryError(404, registry.factory.missing);
  const transferKind = release.isRegistryByLetter ? kindByLetter(read.choice, registry) : kindOf(read.choice, registry);
  const direct = transferKind === "direct" ? preapprovalEntries(registry, read.choice.receiver.owner ?? "") : [];
  const entries = [...context.entries, ...withoutEndedRights(direct, release, world)];
  return factoryResponse(call, registry, { factory, transferKind, entries, data: context.data });
}

function checkOwner({ owner }: Account): Refusal | undefined {
  if (owner === undefined)
    return registryError(400, "expected regular account, but got a special account without an owner");
  const problem = uniqueIdentifierProblem(owner);
  return problem === undefined ? undefined : registryError(400, problem);
}

/** `self` is between equal parties, whatever their accounts (spec §2.1). */
function kindByLetter(choice: TransferChoice, registry: RegistryState): "self" | "direct" | "offer" {
  return choice.sender.owner === choice.receiver.owner ? "self" : kindOf(choice, registry);
}

/** `self` compares whole accounts; equal owners with different accounts never have a direct transfer (Splice 0.7, HttpTokenStandardTransferInstructionHandler.scala). */
function kindOf({ sender, receiver }: TransferChoice, registry: RegistryState): "self" | "direct" | "offer" {
  if (sender.owner === receiver.owner)
    return sender.provider === receiver.provider && sender.id === receiver.id ? "self" : "offer";
  return registry.preapprovals.has(receiver.owner ?? "") ? "direct" : "offer";
}

/** The receiver's pre-approval, and the right of its provider if it is featured. */
function preapprovalEntries(registry: RegistryState, receiver: string): readonly Entry[] {
  const preapproval = registry.preapprovals.get(receiver);
  if (preapproval === undefined) return [];
  return [
    ...entryOf(registry, "transfer-preapproval", preapproval.contract),
    ...entryOf(registry, "featured-app-right", preapproval.featuredAppRight),
  ];
}

function entryOf({ contracts }: RegistryState, key: string, name: string | undefined): readonly Entry[] {
  const contract = name === undefined ? undefined : contracts.get(name);
  return contract === undefined ? [] : [{ key, contract }];
}
