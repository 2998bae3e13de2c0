import { amountOf, unitsOf } from "../registry/amount.ts";
import type { DeclaredTransaction, TransactionEffect } from "../registry/registry-state.ts";
import { noMetadata } from "./_fields.ts";
import { microsOfMs } from "./daml-json.ts";
import { failedBy, type Interpreted } from "./interpret.ts";
import { demand, Interpretation, type InterpretationOptions } from "./interpretation.ts";
import { archive } from "./token-choices.ts";
import { holdingContract, instructionContract, preapprovalContract, readHolding } from "./token-contracts.ts";
import { TransactionBuilder } from "./transaction-builder.ts";

type Transfer = Extract<TransactionEffect, { readonly type: "transfer" }>;

/** Time to accept an offer of a declared transaction: one day. */
const offerMicros = 86_400_000_000n;

/** Interprets a declared transaction. */
export function interpretDeclared(
  { actAs, effect }: DeclaredTransaction,
  options: InterpretationOptions,
  seed: string,
): Interpreted {
  const disclosed = new Set(effect.type === "transfer" ? effect.inputs : []);
  const interpretation = new Interpretation({ ...options, disclosed }, new TransactionBuilder(seed));
  const { builder } = interpretation;
  try {
    if (effect.type === "preapprove") builder.create(preapprovalContract(options.registry, effect.receiver));
    if (effect.type === "transfer") transfer(effect, actAs[0] ?? "", interpretation);
    // An offer holds the time at which it was made.
    const window = { fromMs: options.nowMs, beforeMs: options.nowMs + 1 };
    return { type: "interpreted", builder, undeclared: interpretation.undeclared, window };
  } catch (error) {
    return failedBy(error);
  }
}

/** Consumes the inputs. The sender gets the change; the receiver gets the amount, or an offer locks it. */
function transfer(effect: Transfer, sender: string, interpretation: Interpretation): void {
  const { builder, options } = interpretation;
  const { registry, nowMs } = options;
  const { receiver, kind } = effect;
  demand(kind !== "direct" || registry.preapprovals.has(receiver), "the receiver has no pre-approval");
  const inputs = effect.inputs.map((id) => interpretation.contract(id));
  const holdings = inputs.map((contract) => readHolding(contract, registry));
  const total = holdings.reduce((sum, holding) => sum + (unitsOf(holding?.amount ?? "") ?? 0n), 0n);
  const amount = unitsOf(effect.amount) ?? 0n;
  demand(
    holdings.every((holding) => holding?.owner === sender && holding.lock === undefined),
    "input contracts are missing, locked or do not belong to the sender",
  );
  demand(total >= amount, "the input holdings do not cover the amount");
  for (const contract of inputs) archive(contract, interpretation);
  const instrumentId = holdings[0]?.instrumentId ?? "";
  const holding = (owner: string, units: bigint) => ({ owner, instrumentId, amount: amountOf(units), lock: undefined });
  if (total > amount) builder.create(holdingContract(registry, holding(sender, total - amount)));
  if (kind !== "offer") {
    builder.create(holdingContract(registry, holding(receiver, amount)));
    return;
  }
  const requestedAtMicros = microsOfMs(nowMs);
  const executeBeforeMicros = requestedAtMicros + offerMicros;
  const lock = { holders: [registry.admin], expiresAtMicros: executeBeforeMicros, context: `transfer to ${receiver}` };
  const locked = builder.create(holdingContract(registry, { ...holding(sender, amount), lock }));
  const pending = { sender, receiver, instrumentId, amount: amountOf(amount), requestedAtMicros, executeBeforeMicros };
  builder.create(instructionContract(registry, { ...pending, locked, metadata: noMetadata }));
}
