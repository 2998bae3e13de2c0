import type { Call, WorldView } from "./operation.ts";

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
