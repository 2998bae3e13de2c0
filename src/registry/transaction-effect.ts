import { amountOf, unitsOf } from "./amount.ts";
import type { RegistryChange } from "./registry-change.ts";
import type { DeclaredTransaction, Holding, RegistryState, TransactionEffect } from "./registry-state.ts";

/** What executing a declared transaction changes, or why it cannot be executed any more. */
export type EffectResult =
  | { readonly type: "changes"; readonly changes: readonly RegistryChange[] }
  | { readonly type: "refused"; readonly problem: string };

type Transfer = Extract<TransactionEffect, { readonly type: "transfer" }>;

/** New contracts are named after `id`, which is unique to the transaction. */
export function effectOf({ actAs, effect }: DeclaredTransaction, registry: RegistryState, id: string): EffectResult {
  switch (effect.type) {
    case "none":
      return { type: "changes", changes: [] };
    case "preapprove": {
      const preapproval = { receiver: effect.receiver, contract: undefined, featuredAppRight: undefined };
      return { type: "changes", changes: [{ type: "preapproval-created", preapproval }] };
    }
    case "transfer":
      return transferred(effect, actAs[0] ?? "", registry, id);
  }
}

/** Inputs are archived; sender gets the change, receiver the amount, or an offer locks it until it is accepted. */
function transferred(effect: Transfer, sender: string, registry: RegistryState, id: string): EffectResult {
  const inputs = effect.inputs.map((name) => registry.holdings.get(name));
  const usable = inputs.filter((holding) => holding !== undefined && holding.lockedFor === undefined);
  const owned = usable.filter((holding) => holding !== undefined && holding.owner === sender);
  if (owned.length !== effect.inputs.length) return refused("input contracts are missing, locked or not of the sender");
  if (effect.kind === "direct" && !registry.preapprovals.has(effect.receiver))
    return refused("the receiver has no pre-approval");
  const holdings = owned.filter((holding) => holding !== undefined);
  const total = holdings.reduce((sum, { amount }) => sum + (unitsOf(amount) ?? 0n), 0n);
  const amount = unitsOf(effect.amount) ?? 0n;
  if (total < amount) return refused("the input holdings do not cover the amount");
  const instrumentId = holdings[0]?.instrumentId ?? "";
  const created = (name: string, owner: string, units: bigint, lockedFor?: string): RegistryChange => {
    const holding: Holding = { name, owner, instrumentId, amount: amountOf(units), lockedFor };
    return { type: "holding-created", holding };
  };
  const change = total === amount ? [] : [created(`${id}-change`, sender, total - amount)];
  return {
    type: "changes",
    changes: [
      ...holdings.map(({ name }) => ({ type: "holding-archived", holding: name }) as const),
      ...change,
      ...(effect.kind === "offer"
        ? offered(effect, { sender, instrumentId, id }, created(`${id}-locked`, sender, amount, id))
        : [created(`${id}-received`, effect.receiver, amount)]),
    ],
  };
}

function offered(
  { receiver, amount }: Transfer,
  { sender, instrumentId, id }: { readonly sender: string; readonly instrumentId: string; readonly id: string },
  locked: RegistryChange,
): readonly RegistryChange[] {
  const instruction = { name: id, sender, receiver, instrumentId, amount };
  return [locked, { type: "transfer-instruction-created", instruction }];
}

function refused(problem: string): EffectResult {
  return { type: "refused", problem };
}
