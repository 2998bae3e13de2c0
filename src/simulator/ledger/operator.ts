import type { LedgerState } from "./ledger-state.ts";

/** The operator of a participant's validator. */
export interface Operator {
  readonly userId: string;
  readonly partyId: string;
}

const userIdDefault = "ledger-api-user";

/** The operator that the validator acts for by itself: the user that the fixture names, by default `ledger-api-user`, as on a LocalNet. */
export function declaredOperatorOf({ users, operator }: LedgerState): Operator | undefined {
  const named = users.get(operator ?? userIdDefault);
  return named === undefined || named.primaryParty === ""
    ? undefined
    : { userId: named.id, partyId: named.primaryParty };
}

/** The operator that requests to the validator mean: the declared one or, if the fixture names none, the first user with a primary party. */
export function operatorOf(ledger: LedgerState): Operator | undefined {
  const declared = declaredOperatorOf(ledger);
  if (declared !== undefined || ledger.operator !== undefined) return declared;
  for (const { id, primaryParty } of ledger.users.values())
    if (primaryParty !== "") return { userId: id, partyId: primaryParty };
  return undefined;
}
