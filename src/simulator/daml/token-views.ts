import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { LedgerContract } from "../ledger/ledger-state.ts";
import type { RegistryState } from "../registry/registry-state.ts";
import { instantOfMicros, jsonOfValue } from "./daml-json.ts";
import { type Holding, type PendingTransfer, readHolding, readInstruction } from "./token-contracts.ts";

// How the token standard's interfaces show the contracts of a registry (facts, registry 6).

/** Interfaces by module and entity; package ids are known of the first generation, the others stand for themselves. */
const packages: Readonly<Record<string, string>> = {
  "Splice.Api.Token.HoldingV1:Holding": "718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b",
  "Splice.Api.Token.HoldingV2:Holding": stub("splice-api-token-holding-v2"),
  "Splice.Api.Token.TransferInstructionV1:TransferInstruction":
    "55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281",
  "Splice.Api.Token.TransferInstructionV2:TransferInstruction": stub("splice-api-token-transfer-instruction-v2"),
};

function stub(packageName: string): string {
  return bytesToHex(sha256(utf8ToBytes(packageName)));
}

/** A view of a contract. `interfaceId` is package:module:entity. */
export interface InterfaceView {
  readonly interfaceId: string;
  readonly view: JsonObject;
}

/** The interface ids that a contract implements. */
export function interfacesOf(contract: LedgerContract, registry: RegistryState): readonly string[] {
  return viewsOf(contract, registry).map(({ interfaceId }) => interfaceId);
}

/** Every view of a contract; a contract that is no token has none. */
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

/** The first generation has an owner, the second an account. */
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
