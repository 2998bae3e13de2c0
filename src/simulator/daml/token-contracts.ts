import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { LedgerContract } from "../ledger/ledger-state.ts";
import { ofInstrument, type RegistryState } from "../registry/registry-state.ts";
import {
  contractId,
  fieldOf,
  microsAt,
  noMetadata,
  numeric,
  parties,
  party,
  record,
  some,
  text,
  textAt,
  textsAt,
  timestamp,
} from "./_fields.ts";
import type { NewContract } from "./transaction-builder.ts";

// Token contracts of a registry, in the form of the Amulet registry or of the Utility registry (Splice 0.7, ChoiceContextBuilder.scala and ExternalPartyAmuletRules.daml).

/** Tokens of one owner in one contract. Amounts are decimals with ten digits after the point. */
export interface Holding {
  readonly owner: string;
  readonly instrumentId: string;
  readonly amount: string;
  readonly lock: HoldingLock | undefined;
}

interface HoldingLock {
  readonly holders: readonly string[];
  readonly expiresAtMicros: bigint;
  readonly context: string;
}

/** A pending transfer: offered, not yet accepted. */
export interface PendingTransfer {
  readonly sender: string;
  readonly receiver: string;
  readonly amount: string;
  readonly instrumentId: string;
  readonly requestedAtMicros: bigint;
  readonly executeBeforeMicros: bigint;
  /** The contract id of the locked holding. */
  readonly locked: string;
  readonly metadata: DamlValue;
}

type TokenTemplate = "holding" | "locked" | "instruction" | "preapproval";

const entities: Readonly<Record<"amulet" | "utility", Readonly<Record<TokenTemplate, string>>>> = {
  amulet: {
    holding: "Splice.Amulet:Amulet",
    locked: "Splice.Amulet:LockedAmulet",
    instruction: "Splice.AmuletTransferInstruction:AmuletTransferInstruction",
    preapproval: "Splice.AmuletRules:TransferPreapproval",
  },
  utility: {
    holding: "Utility.Registry.Holding.V0.Holding:Holding",
    locked: "Utility.Registry.Holding.V0.Holding:Holding",
    instruction: "Utility.Registry.App.V0.Model.Transfer:TransferOffer",
    preapproval: "Utility.Registry.App.V0.Model.Preapproval:TransferPreapproval",
  },
};

/** The package of the registry's factory, which the token contracts use too. */
export function packageOf(registry: RegistryState): { readonly packageId: string; readonly packageName: string } {
  const factory = registry.contracts.get(registry.factory.contract);
  return {
    packageId: factory?.templateId.split(":")[0] ?? "0".repeat(64),
    packageName: factory?.packageName ?? "splice-amulet",
  };
}

function styleOf(registry: RegistryState): "amulet" | "utility" {
  const factory = registry.contracts.get(registry.factory.contract)?.templateId ?? "";
  return factory.includes(":Utility.") ? "utility" : "amulet";
}

function newContract(
  registry: RegistryState,
  template: TokenTemplate,
  argument: DamlValue,
  signatories: readonly string[],
  observers: readonly string[] = [],
): NewContract {
  const { packageId, packageName } = packageOf(registry);
  const templateId = `${packageId}:${entities[styleOf(registry)][template]}`;
  return { templateId, packageName, argument, signatories, observers };
}

function isOf(contract: NewContract, ...templates: readonly TokenTemplate[]): boolean {
  return (["amulet", "utility"] as const).some((style) =>
    templates.some((template) => contract.templateId.endsWith(`:${entities[style][template]}`)),
  );
}

export function holdingContract(all: RegistryState, holding: Holding): NewContract {
  const registry = ofInstrument(all, holding.instrumentId);
  const { admin } = registry;
  const { owner, amount, lock } = holding;
  const signatories = [...new Set([admin, owner, ...(lock?.holders ?? [])])];
  const argument =
    styleOf(registry) === "utility" ? utilityHolding(admin, holding) : amuletHolding(admin, owner, amount);
  if (lock === undefined || styleOf(registry) === "utility")
    return newContract(registry, lock === undefined ? "holding" : "locked", argument, signatories);
  const locked = record(["amulet", argument], ["lock", lockValue(lock)]);
  return newContract(registry, "locked", locked, signatories);
}

function amuletHolding(admin: string, owner: string, amount: string): DamlValue {
  return record(
    ["dso", party(admin)],
    ["owner", party(owner)],
    [
      "amount",
      record(
        ["initialAmount", numeric(amount)],
        ["createdAt", record(["number", { type: "int64", value: 0n }])],
        ["ratePerRound", record(["rate", numeric("0.0000000000")])],
      ),
    ],
  );
}

function utilityHolding(admin: string, { owner, instrumentId, amount, lock }: Holding): DamlValue {
  return record(
    ["registrar", party(admin)],
    ["owner", party(owner)],
    ["instrument", record(["source", party(admin)], ["id", text(instrumentId)])],
    ["amount", numeric(amount)],
    ["lock", some(lock === undefined ? undefined : lockValue(lock))],
  );
}

function lockValue({ holders, expiresAtMicros, context }: HoldingLock): DamlValue {
  return record(
    ["holders", parties(holders)],
    ["expiresAt", timestamp(expiresAtMicros)],
    ["optContext", some(text(context))],
  );
}

/** The holding in a contract; undefined for other contracts. */
export function readHolding(contract: NewContract, registry: RegistryState): Holding | undefined {
  if (!isOf(contract, "holding", "locked")) return undefined;
  const { argument } = contract;
  const amulet = fieldOf(argument, "amulet") ?? argument;
  const lock = fieldOf(argument, "lock");
  return {
    owner: textAt(amulet, "owner"),
    instrumentId: textAt(amulet, "instrument", "id") || ([...registry.instruments.values()][0]?.id ?? "Amulet"),
    amount: textAt(amulet, "amount") || textAt(amulet, "amount", "initialAmount"),
    lock:
      lock === undefined
        ? undefined
        : {
            holders: textsAt(lock, "holders"),
            expiresAtMicros: microsAt(lock, "expiresAt") ?? 0n,
            context: textAt(lock, "optContext"),
          },
  };
}

export function instructionContract(registry: RegistryState, pending: PendingTransfer): NewContract {
  const transfer = record(
    ["sender", party(pending.sender)],
    ["receiver", party(pending.receiver)],
    ["amount", numeric(pending.amount)],
    ["instrumentId", record(["admin", party(registry.admin)], ["id", text(pending.instrumentId)])],
    ["requestedAt", timestamp(pending.requestedAtMicros)],
    ["executeBefore", timestamp(pending.executeBeforeMicros)],
    ["inputHoldingCids", { type: "list", elements: [contractId(pending.locked)] }],
    ["meta", pending.metadata],
  );
  const argument = record(["lockedAmulet", contractId(pending.locked)], ["transfer", transfer]);
  return newContract(
    ofInstrument(registry, pending.instrumentId),
    "instruction",
    argument,
    [registry.admin, pending.sender],
    [pending.receiver],
  );
}

/** The pending transfer in a contract; undefined for other contracts. */
export function readInstruction(contract: NewContract): PendingTransfer | undefined {
  if (!isOf(contract, "instruction")) return undefined;
  const transfer = fieldOf(contract.argument, "transfer");
  return {
    sender: textAt(transfer, "sender"),
    receiver: textAt(transfer, "receiver"),
    amount: textAt(transfer, "amount"),
    instrumentId: textAt(transfer, "instrumentId", "id"),
    requestedAtMicros: microsAt(transfer, "requestedAt") ?? 0n,
    executeBeforeMicros: microsAt(transfer, "executeBefore") ?? 0n,
    locked: textAt(contract.argument, "lockedAmulet"),
    metadata: fieldOf(transfer, "meta") ?? noMetadata,
  };
}

/** A receiver's consent to direct transfers. */
export function preapprovalContract(registry: RegistryState, receiver: string): NewContract {
  const argument = record(
    ["dso", party(registry.admin)],
    ["receiver", party(receiver)],
    ["provider", party(registry.admin)],
  );
  return newContract(registry, "preapproval", argument, [registry.admin, receiver]);
}

/** The receiver of a pre-approval; undefined for another contract. */
export function readPreapproval(contract: NewContract): string | undefined {
  return isOf(contract, "preapproval") ? textAt(contract.argument, "receiver") : undefined;
}

/** The parties of a proposed pre-approval; undefined for another contract. */
export function readProposal({
  templateId,
  argument,
}: NewContract): { readonly receiver: string; readonly provider: string } | undefined {
  if (!templateId.endsWith(":Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal")) return undefined;
  return { receiver: textAt(argument, "receiver"), provider: textAt(argument, "provider") };
}

/** The tokens on the ledger, by contract. */
export function holdingsOf(
  contracts: Iterable<LedgerContract>,
  registry: RegistryState,
): readonly { readonly contract: LedgerContract; readonly holding: Holding }[] {
  return [...contracts].flatMap((contract) => {
    const holding = readHolding(contract, registry);
    return holding === undefined ? [] : [{ contract, holding }];
  });
}

/** The required signatories of a contract of the registry's templates; undefined for another template. */
export function tokenSignatories(contract: NewContract, registry: RegistryState): readonly string[] | undefined {
  const holding = readHolding(contract, registry);
  const owner = holding?.owner ?? readInstruction(contract)?.sender ?? readPreapproval(contract);
  return owner === undefined ? undefined : [...new Set([registry.admin, owner, ...(holding?.lock?.holders ?? [])])];
}

/** Whether a template is a token template of a registry. */
export function isTokenTemplate(templateId: string): boolean {
  const contract = { templateId, packageName: "", argument: noMetadata, signatories: [], observers: [] };
  return isOf(contract, "holding", "locked", "instruction", "preapproval");
}
