import { shortened } from "../../foundation/text/shortened.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { isAllocated, type LedgerState } from "../../simulator/ledger/ledger-state.ts";
import { mint } from "../../simulator/operations/mint.ts";
import { amountOf, amountUnitsEnd, unitsOf } from "../../simulator/registry/amount.ts";
import type { RegistryState } from "../../simulator/registry/registry-state.ts";
import type { World } from "../../simulator/world/world.ts";

/** Tokens for a party. Without an instrument they are of the only one of the registry. */
interface TapRequest {
  readonly party: string;
  /** A decimal, such as `"100.5"`. */
  readonly amount: string;
  readonly instrument: string | undefined;
}

/** The new holding, and the transaction that created it; or the reason for the refusal. `unknown`: a name does not exist. */
type TapResult =
  | { readonly type: "done"; readonly contractId: string; readonly updateId: string }
  | { readonly type: "unknown" | "invalid" | "conflict"; readonly problem: string };

/** Gives tokens to a party, in a transaction on the ledger of the participant that hosts it. */
export function tap(world: World, { party, amount, instrument }: TapRequest): TapResult {
  const host = hostOf(party, world);
  if (host.type !== "found") return host;
  const units = unitsOf(amount) ?? 0n;
  if (units <= 0n || units >= amountUnitsEnd) {
    const expected = "a positive decimal below 10^28 with at most ten digits after the point";
    return {
      type: "invalid",
      problem: `amount ${shortened(JSON.stringify(amount))} is not ${expected}. Use a text such as "100.5".`,
    };
  }
  const { registry, ledger } = host.world.state;
  const given = instrumentOf(instrument, registry);
  if (given.type !== "found") return given;
  if (![...ledger.synchronizers.values()].some(({ isConnected }) => isConnected))
    return { type: "conflict", problem: `The participant of ${party} is not connected to any synchronizer.` };
  const minted = mint({ owner: party, instrumentId: given.id, amount: amountOf(units) }, host.world.state);
  const created = minted.type === "executed" ? minted.update.events[0] : undefined;
  if (minted.type !== "executed" || created === undefined) throw new Error("invariant: nothing refuses a new holding");
  host.world.perform(minted.changes);
  return { type: "done", contractId: created.contract.contractId, updateId: minted.update.updateId };
}

type Missing = Exclude<TapResult, { readonly type: "done" }>;

/** The world as a participant that hosts the party sees it: the addressed participant, or else another one. */
function hostOf(party: string, world: World): { readonly type: "found"; readonly world: World } | Missing {
  const { ledger, participants, nowMs } = world.state;
  const hosted = ({ parties, participantId }: LedgerState) =>
    [...parties.values()].filter((each) => each.hostedBy.includes(participantId) && isAllocated(each, nowMs));
  const isHost = (of: LedgerState) => hosted(of).some(({ id }) => id === party);
  if (isHost(ledger)) return { type: "found", world };
  for (const [name, other] of participants) if (isHost(other)) return { type: "found", world: world.participant(name) };
  const known = new Set([ledger, ...participants.values()].flatMap((of) => hosted(of).map(({ id }) => id)));
  return {
    type: "unknown",
    problem: `No participant of this world hosts the party ${shortened(JSON.stringify(party))}. ${advise(party, known, "GET /v2/parties lists all.")}`,
  };
}

function instrumentOf(
  name: string | undefined,
  { instruments }: RegistryState,
): { readonly type: "found"; readonly id: string } | Missing {
  const ids = [...instruments.values()].map(({ id }) => id);
  const [first, ...others] = ids;
  if (first === undefined)
    return {
      type: "conflict",
      problem: "The registry of this world has no instruments. Add one to instruments of its registry fixture.",
    };
  if (name === undefined && others.length > 0)
    return {
      type: "invalid",
      problem: `The registry has several instruments. Name one. ${advise("", ids, "The fixture lists all.")}`,
    };
  if (name === undefined || ids.includes(name)) return { type: "found", id: name ?? first };
  return {
    type: "unknown",
    problem: `The registry has no instrument ${shortened(JSON.stringify(name))}. ${advise(name, ids, "The fixture lists all.")}`,
  };
}
