// The arguments of a transfer as a wallet sends them to the registry.

export interface Account {
  readonly owner: string;
  readonly provider: null;
  readonly id: string;
}

interface Transfer<Side> {
  readonly sender: Side;
  readonly receiver: Side;
  readonly amount: string;
  readonly instrumentId: { readonly admin: string; readonly id: string };
  readonly requestedAt: string;
  readonly executeBefore: string;
  readonly inputHoldingCids: string[];
  readonly meta: typeof empty;
}

export interface TransferLookup {
  readonly choiceArguments: {
    readonly transfer: Transfer<Account>;
    readonly actors: string[];
    readonly extraArgs: typeof extraArgs;
  };
  readonly excludeDebugFields: boolean;
}

export const empty: { readonly values: Record<string, never> } = { values: {} };
export const extraArgs: { readonly context: typeof empty; readonly meta: typeof empty } = {
  context: empty,
  meta: empty,
};

export const account = (owner: string): Account => ({ owner, provider: null, id: "" });

/** A transfer of one token. */
export function transferOf<Side>(sender: Side, receiver: Side, admin = "DSO::1220ab"): Transfer<Side> {
  return {
    sender,
    receiver,
    amount: "1.0",
    instrumentId: { admin, id: "Amulet" },
    requestedAt: "2026-01-01T00:00:00Z",
    executeBefore: "2026-01-02T00:00:00Z",
    inputHoldingCids: [],
    meta: empty,
  };
}

/** A lookup of the second generation: a transfer from a party to another. */
export function transferLookup(receiver = "carol::1220ab", sender = "alice::1220ab"): TransferLookup {
  const transfer = transferOf(account(sender), account(receiver));
  return { choiceArguments: { transfer, actors: [sender], extraArgs }, excludeDebugFields: true };
}
