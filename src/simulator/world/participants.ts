import { applyToLedger } from "../ledger/apply-ledger.ts";
import type { LedgerChange } from "../ledger/ledger-change.ts";
import type { LedgerState, Party } from "../ledger/ledger-state.ts";

/** The participants of a world as one of them sees it. They share hosts of parties and namespaces, and nothing else. */
export interface ParticipantLedgers {
  /** The ledger of the participant itself. */
  readonly ledger: LedgerState;
  /** The other participants by name; the first participant has the empty name. */
  readonly participants: ReadonlyMap<string, LedgerState>;
}

/** The name of the first participant. */
export const firstParticipant = "";

/** The world as another participant sees it. `own` is the name of the participant that saw it until now. */
export function seenBy<World extends ParticipantLedgers>(world: World, name: string, own: string): World {
  if (name === own) return world;
  const ledger = world.participants.get(name);
  if (ledger === undefined) throw new Error(`invariant: the world has no participant ${JSON.stringify(name)}`);
  const others = [...world.participants].filter(([each]) => each !== name);
  return { ...world, ledger, participants: new Map([...others, [own, world.ledger]]) };
}

/** The participants after a change of one of them. What the topology shares changes in the others, too. */
export function applyToParticipants<World extends ParticipantLedgers>(world: World, change: LedgerChange): World {
  if (world.participants.size === 0) return { ...world, ledger: applyToLedger(world.ledger, change) };
  switch (change.type) {
    case "party-allocated":
      return allocated(world, change.party);
    case "namespace-defined":
      return {
        ...world,
        ledger: applyToLedger(world.ledger, change),
        participants: mapped(world.participants, (other) => applyToLedger(other, change)),
      };
    default:
      return { ...world, ledger: applyToLedger(world.ledger, change) };
  }
}

/** An allocation is the authorization of its participant: those that allocated the party before no longer wait for it. */
function allocated<World extends ParticipantLedgers>(world: World, party: Party): World {
  const { participantId } = world.ledger;
  const hasAllocated = (other: LedgerState) => other.parties.has(party.id);
  const authorized = [...world.participants.values()].filter(hasAllocated).map((other) => other.participantId);
  const awaiting = party.awaiting.filter((id) => !authorized.includes(id));
  return {
    ...world,
    ledger: applyToLedger(world.ledger, { type: "party-allocated", party: { ...party, awaiting } }),
    participants: mapped(world.participants, (other) =>
      hasAllocated(other)
        ? applyToLedger(other, { type: "hosting-authorized", party: party.id, participantId })
        : other,
    ),
  };
}

function mapped(
  participants: ParticipantLedgers["participants"],
  change: (ledger: LedgerState) => LedgerState,
): ParticipantLedgers["participants"] {
  return new Map([...participants].map(([name, ledger]) => [name, change(ledger)]));
}
