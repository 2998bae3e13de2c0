import { textsOf } from "../../foundation/json/members.ts";
import { type Right, rightKey } from "../../simulator/ledger/right.ts";
import type { Call, Operation } from "../../simulator/operations/operation.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";

/** Number of parties of a request that are tried. */
const partiesMax = 10;

/** The rights that the user lacks for a call, found by trial; undefined if no right of this list is enough. */
export function missingRight(call: Call, { mayCall }: Operation, state: WorldState): string | undefined {
  const { caller } = call;
  const user = caller.type === "user" ? state.ledger.users.get(caller.userId) : undefined;
  if (caller.type !== "user" || user === undefined) return undefined;
  const enough = candidatesFor(call).find((rights) => {
    const users = state.ledger.users.with(caller.userId, { ...user, rights: user.rights.with(rights) }, true);
    const isParticipantAdmin = caller.isParticipantAdmin || rights.some(({ type }) => type === "ParticipantAdmin");
    const world = { ...state, ledger: { ...state.ledger, users } };
    return mayCall?.({ ...call, caller: { ...caller, isParticipantAdmin } }, world) === true;
  });
  const missing = (enough ?? []).map(rightKey).filter((key) => !user.rights.has(key));
  return missing.length === 0 ? undefined : `(missing: ${missing.join(", ")})`;
}

/** Sets of rights over the parties that a request names, smallest first. */
function candidatesFor({ body }: Call): readonly (readonly Right[])[] {
  const named = [...JSON.stringify(body).matchAll(/"([^"\\\s]+::[^"\\\s]+)"/g)].map(([, party = ""]) => party);
  const parties = [...new Set(named)].slice(0, partiesMax);
  const actAs = textsOf(body["actAs"]).map((party) => ({ type: "CanActAs", party }) as const);
  const readAs = textsOf(body["readAs"]).map((party) => ({ type: "CanReadAs", party }) as const);
  return [
    ...parties.map((party) => [{ type: "CanReadAs", party }] as const),
    parties.map((party) => ({ type: "CanReadAs", party }) as const),
    actAs,
    [...actAs, ...readAs],
    [{ type: "CanReadAsAnyParty" }],
    [{ type: "ParticipantAdmin" }],
  ];
}
