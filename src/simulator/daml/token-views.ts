import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { LedgerContract } from "../ledger/ledger-state.ts";
import type { RegistryState } from "../registry/registry-state.ts";
import { instantOfMicros, jsonOfValue } from "./daml-json.ts";
import { type Holding, type PendingTransfer, readHolding, readInstruction } from "./token-contracts.ts";

// Interface views of the token standard over the contracts of a registry (Splice 0.7, ExternalPartyAmuletRules.daml).

/** Interface package ids by module and entity; those of v1 are the real ones, those of v2 are the SHA-256 of the package names. */
const packages: Readonly<Record<string, string>> = {
  "Splice.Api.Token.HoldingV1:Holding": "718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b",
  "Splice.Api.Token.HoldingV2:Holding": "0243e03e314c1e48e649a5540118bca83ad727387bf2d2afc3337a880cc01190",
  "Splice.Api.Token.TransferInstructionV1:TransferInstruction":
    "55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281",
  "Splice.Api.Token.TransferInstructionV2:TransferInstruction":
    "2422fa8047dda292788119fc1e85ce16c7b1267993c8b3564105b59ed2dc7471",
};

/** A view of a contract. `interfaceId` is package:module:entity. */
export interface InterfaceView {
  readonly interfaceId: string;
  readonly view: JsonObject;
}

/** The interface ids that a contract implements. */
export function interfacesOf(contract: LedgerContract, registry: RegistryState): readonly string[] {
  return viewsOf(contract, registry).map(({ interfaceId }) => interfaceId);
}

/** All interface views of a contract; empty unless it is a token contract. */
export function viewsOf(contract: LedgerContract, registry: RegistryState): readonly InterfaceView[] {
  const holding = readHolding(contract, registry);
  if (holding !== undefined)
    return [
      named("Splice.Api.Token.HoldingV1:Holding", holdingView(holding, registry, holding.owner)),
      named("Splice.Api.Token.HoldingV2:Holding", holdingView(holding, registry, undefined)),
    ];
  const pending = readInstruction(contract);
  if (pending === undefined) return [];
  return [
    named("Splice.Api.Token.TransferInstructionV1:TransferInstruction", firstInstructionView(pending, registry)),
    named("Splice.Api.Token.TransferInstructionV2:TransferInstruction", secondInstructionView(pending, registry)),
  ];
}

function named(name: string, view: JsonObject): InterfaceView {
  return { interfaceId: `${packages[name] ?? ""}:${name}`, view };
}

/** v1 names an owner, v2 an account. */
function holdingView(holding: Holding, registry: RegistryState, owner: string | undefined): JsonObject {
  const { lock } = holding;
  const holder = owner === undefined ? { account: accountJson(holding.owner) } : { owner };
  return {
    ...holder,
    instrumentId: { admin: registry.admin, id: holding.instrumentId },
    amount: holding.amount,
    lock:
      lock === undefined
        ? null
        : {
            holders: lock.holders,
            expiresAt: instantOfMicros(lock.expiresAtMicros),
            expiresAfter: null,
            context: lock.context,
          },
    meta: { values: {} },
  };
}

function accountJson(owner: string): JsonObject {
  return { owner, provider: null, id: "" };
}

function transferJson(pending: PendingTransfer, registry: RegistryState, side: (party: string) => Json): JsonObject {
  return {
    sender: side(pending.sender),
    receiver: side(pending.receiver),
    amount: pending.amount,
    instrumentId: { admin: registry.admin, id: pending.instrumentId },
    requestedAt: instantOfMicros(pending.requestedAtMicros),
    executeBefore: instantOfMicros(pending.executeBeforeMicros),
    inputHoldingCids: [pending.locked],
    meta: jsonOfValue(pending.metadata),
  };
}

function firstInstructionView(pending: PendingTransfer, registry: RegistryState): JsonObject {
  return {
    originalInstructionCid: null,
    transfer: transferJson(pending, registry, (party) => party),
    status: { tag: "TransferPendingReceiverAcceptance", value: {} },
    meta: { values: {} },
  };
}

function secondInstructionView(pending: PendingTransfer, registry: RegistryState): JsonObject {
  return {
    originalInstructionCid: null,
    transfer: transferJson(pending, registry, accountJson),
    availableActions: [
      [[pending.receiver], ["TIA_Accept", "TIA_Reject"]],
      [[pending.sender], ["TIA_Withdraw"]],
    ],
    expiresAt: instantOfMicros(pending.executeBeforeMicros),
    meta: { values: {} },
  };
}
