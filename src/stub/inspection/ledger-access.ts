import { portableWord } from "../../checker/engine/curl-line.ts";
import type { LedgerState } from "../../simulator/ledger/ledger-state.ts";
import type { components } from "../control/generated/control-types.ts";
import type { AuthenticationMode } from "../pipeline/claims.ts";

/** How curl gets access to a ledger as an administrator. */
export type LedgerAccess = components["schemas"]["LedgerAccess"] & { readonly header: string };

/** Returns a shell line that prints a token of a user. Undefined where this machine has no key to sign it. */
export type MintLine = (userId: string) => string;

/** Undefined if the world has no administrator, or if its token cannot be signed here. */
export function ledgerAccess(
  authentication: AuthenticationMode,
  { users }: Pick<LedgerState, "users">,
  mint: MintLine | undefined,
): LedgerAccess | undefined {
  if (authentication === "none") return { before: [], header: "" };
  if (authentication === "bearer") return { before: [], header: '-H "Authorization: Bearer any" ' };
  const admin = [...users.values()].find(
    ({ rights, isDeactivated }) => rights.has("ParticipantAdmin") && !isDeactivated,
  );
  if (admin === undefined) return undefined;
  if (authentication === "user")
    return { before: [], header: `-H ${portableWord(`Authorization: Bearer ${admin.id}`)} ` };
  return mint === undefined
    ? undefined
    : { before: [`TOKEN=$(${mint(admin.id)})`], header: '-H "Authorization: Bearer $TOKEN" ' };
}
