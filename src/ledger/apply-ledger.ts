import type { Table } from "../table/table.ts";
import type { LedgerChange } from "./ledger-change.ts";
import {
  type CompletedCommand,
  type LedgerState,
  type Right,
  rightKey,
  type Synchronizer,
  type User,
  type VettedPackage,
} from "./ledger-state.ts";

/** The ledger after a change: the one place that changes a participant. Throws where an invariant would break. */
export function applyToLedger(state: LedgerState, change: LedgerChange): LedgerState {
  switch (change.type) {
    case "rights-granted":
      return withUser(
        state,
        granted(existing(state.users, change.userId), change.rights, state.limits.rightsPerUserMax),
      );
    case "user-created":
      return withUser(state, change.user);
    case "user-updated":
      return withUser(state, updated(existing(state.users, change.user.id), change.user));
    case "user-deleted":
      return { ...state, users: state.users.without(existing(state.users, change.userId).id) };
    case "user-deactivated":
      return withUser(state, deactivated(existing(state.users, change.userId)));
    case "party-allocated":
      return { ...state, parties: state.parties.with(change.party.id, change.party, true) };
    case "command-completed":
      return completed(state, change.command);
    case "package-uploaded":
      return { ...state, packages: state.packages.with(change.package.id, change.package, true) };
    case "packages-vetted":
      return withSynchronizer(state, vetted(existing(state.synchronizers, change.synchronizerId), change.vetted));
    case "synchronizer-connected":
      return withSynchronizer(state, { ...existing(state.synchronizers, change.synchronizerId), isConnected: true });
    case "synchronizer-disconnected":
      return withSynchronizer(state, { ...existing(state.synchronizers, change.synchronizerId), isConnected: false });
  }
}

function existing<Row>(table: Table<Row>, id: string): Row {
  const row = table.get(id);
  if (row === undefined) throw new Error(`invariant: a change names ${id}, which does not exist`);
  return row;
}

/** Granting adds to a set and leaves the resource version alone (document, section 3). */
function granted(user: User, rights: readonly Right[], rightsPerUserMax: number): User {
  const all = new Map(user.rights);
  for (const right of rights) all.set(rightKey(right), right);
  if (all.size > rightsPerUserMax) throw new Error(`invariant: user ${user.id} would hold ${all.size} rights`);
  return { ...user, rights: all };
}

function deactivated(user: User): User {
  return updated(user, { ...user, isDeactivated: true });
}

/** Every accepted update is a new version, also one without effect; granting is none. */
function updated(before: User, after: User): User {
  const resourceVersion = (BigInt(before.resourceVersion) + 1n).toString();
  return { ...after, rights: before.rights, resourceVersion };
}

function vetted(synchronizer: Synchronizer, packages: readonly VettedPackage[]): Synchronizer {
  return {
    ...synchronizer,
    vetted: new Map(packages.map((row) => [row.packageId, row])),
    topologySerial: synchronizer.topologySerial + 1,
  };
}

/** Offsets grow by one with each transaction. */
function completed(state: LedgerState, command: CompletedCommand): LedgerState {
  if (command.offset !== state.ledgerEnd + 1n)
    throw new Error(`invariant: offset ${command.offset} does not follow ${state.ledgerEnd}`);
  return { ...state, ledgerEnd: command.offset, commands: state.commands.with(command.key, command, true) };
}

function withUser(state: LedgerState, user: User): LedgerState {
  return { ...state, users: state.users.with(user.id, user, true) };
}

function withSynchronizer(state: LedgerState, synchronizer: Synchronizer): LedgerState {
  return { ...state, synchronizers: state.synchronizers.with(synchronizer.id, synchronizer, true) };
}
