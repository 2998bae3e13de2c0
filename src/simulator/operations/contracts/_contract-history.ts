import type { LedgerContract, LedgerState, Update, UpdateEvent } from "../../ledger/ledger-state.ts";

/** A contract with the update that archived it. */
interface ContractHistory {
  /** Undefined if the ledger never had the contract. */
  readonly created: LedgerContract | undefined;
  readonly archived:
    | { readonly update: Update; readonly event: Extract<UpdateEvent, { type: "exercised" }> }
    | undefined;
}

/** What became of a contract. Archived ones are found in the updates. */
export function historyOf(contractId: string, { contracts, updates }: LedgerState): ContractHistory {
  const active = contracts.get(contractId);
  if (active !== undefined) return { created: active, archived: undefined };
  for (const update of updates.values())
    for (const event of update.events)
      if (event.type === "exercised" && event.isConsuming && event.contract.contractId === contractId)
        return { created: event.contract, archived: { update, event } };
  return { created: undefined, archived: undefined };
}
