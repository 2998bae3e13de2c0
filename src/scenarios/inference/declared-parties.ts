import type { JsonObject } from "../../foundation/json/json.ts";
import { objectsOf, textOf } from "../../foundation/json/members.ts";
import { isDefinedIn, isDefinedOrForeign } from "../files/defined-names.ts";
import { danglingInLedger, danglingInPlan, danglingInRegistry } from "../files/references.ts";

/** The ledger with a declaration for each party that is named and that the recording shows not to exist at the start. */
export function withDeclaredParties(ledger: JsonObject, registry: JsonObject, plan: readonly JsonObject[]): JsonObject {
  const rows = objectsOf(ledger["parties"]);
  if (rows.length === 0) return ledger;
  const parties = new Set(rows.map(({ id }) => textOf(id)));
  const isForeign = isDefinedOrForeign({ parties });
  const dangling = [
    ...danglingInLedger(ledger, isDefinedIn({ parties })),
    ...danglingInRegistry(registry, isForeign),
    ...danglingInPlan([...plan], isForeign),
  ];
  const names = new Set(dangling.filter(({ kind }) => kind === "parties").map(({ name }) => name));
  if (names.size === 0) return ledger;
  return { ...ledger, parties: [...rows, ...[...names].map((id) => ({ id, hostedBy: [] }))] };
}
