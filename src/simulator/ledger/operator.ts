import type { LedgerState } from "./ledger-state.ts";

/** The operator of a participant's validator. */
interface Operator {
  readonly userId: string;
  readonly partyId: string;
}

const userIdDefault = "ledger-api-user";

/**
 * The operator: the user that the fixture names. By default the user `ledger-api-user`, as on a LocalNet, else the first
 * user with a primary party. Undefined if there is no such user.
 */
export function operatorOf({ users, operator }: LedgerState): Operator | undefined {
  const named = users.get(operator ?? userIdDefault);
  if (named !== undefined && named.primaryParty !== "") return { userId: named.id, partyId: named.primaryParty };
  if (operator !== undefined) return undefined;
  for (const { id, primaryParty } of users.values())
    if (primaryParty !== "") return { userId: id, partyId: primaryParty };
  return undefined;
}
