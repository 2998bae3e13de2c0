import { noRights } from "../ledger/rights.ts";
import { isSomeUserAdministrator } from "./_user-administrator.ts";
import type { Call, WorldView } from "./operation.ts";

/** Whether the caller administers users, or has a right on each of these parties (Canton 3.5, the authorizers in ledger/api/auth/services). */
export function mayAskFor(call: Call, parties: readonly string[], world: WorldView): boolean {
  if (isSomeUserAdministrator(call.caller)) return true;
  if (call.caller.type !== "user") return false;
  const rights = world.ledger.users.get(call.caller.userId)?.rights ?? noRights;
  return (
    rights.has("CanExecuteAsAnyParty") ||
    parties.every((party) => rights.has(`CanExecuteAs ${party}`) || mayRead(call, [party], world))
  );
}

/** Whether the caller may act or execute as a party (Canton 3.5, the authorizers in ledger/api/auth/services). */
export function mayExecuteAs({ caller }: Call, party: string, { ledger }: WorldView): boolean {
  if (caller.type !== "user") return caller.type === "everyone";
  const rights = ledger.users.get(caller.userId)?.rights ?? noRights;
  return (
    rights.has("CanExecuteAsAnyParty") ||
    rights.has("CanActAsAnyParty") ||
    rights.has(`CanActAs ${party}`) ||
    rights.has(`CanExecuteAs ${party}`)
  );
}

/** Whether the caller may read the events of these parties; undefined means any party. */
export function mayRead({ caller }: Call, parties: readonly string[] | undefined, { ledger }: WorldView): boolean {
  if (caller.type !== "user") return caller.type === "everyone";
  const rights = ledger.users.get(caller.userId)?.rights;
  if (rights?.has("CanReadAsAnyParty") === true || rights?.has("CanActAsAnyParty") === true) return true;
  if (parties === undefined) return false;
  return parties.every(
    (party) => rights?.has(`CanReadAs ${party}`) === true || rights?.has(`CanActAs ${party}`) === true,
  );
}
