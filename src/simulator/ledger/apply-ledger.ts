import type { Table } from "../../foundation/table/table.ts";
import type { LedgerChange } from "./ledger-change.ts";
import {
  type CompletedCommand,
  type LedgerContract,
  type LedgerState,
  offsetKey,
  type Synchronizer,
  type Update,
  type UpdateEvent,
  type User,
  type VettedPackage,
} from "./ledger-state.ts";
import { nextVersion } from "./next-version.ts";
import type { Right } from "./right.ts";
import { credited, debited, prunedUntil, type TrafficEnforcement } from "./traffic.ts";

/** The ledger after a change; the only place that changes a participant. Throws if an invariant would break. */
export function applyToLedger(state: LedgerState, change: LedgerChange): LedgerState {
  switch (change.type) {
    case "rights-granted":
      return withUser(
        state,
        granted(existing(state.users, change.userId), change.rights, state.limits.rightsPerUserMax),
      );
    case "rights-revoked":
      return withUser(state, revoked(existing(state.users, change.userId), change.rights));
    case "identity-provider-configured":
      return {
        ...state,
        identityProviders: state.identityProviders.with(change.provider.id, change.provider, true),
      };
    case "identity-provider-deleted":
      return {
        ...state,
        identityProviders: state.identityProviders.without(existing(state.identityProviders, change.id).id),
      };
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
    case "transaction-committed":
      return committed(state, change.command, change.update);
    case "hosting-authorized":
      if (!state.parties.has(change.party)) return withProposal(state, change.party, change.participantId);
      return {
        ...state,
        parties: state.parties.with(
          change.party,
          (({ awaiting, ...party }) => ({
            ...party,
            awaiting: awaiting.filter((id) => id !== change.participantId),
          }))(existing(state.parties, change.party)),
          true,
        ),
      };
    case "namespace-defined":
      return { ...state, namespaces: state.namespaces.with(change.namespace, change.definition, true) };
    case "package-uploaded":
      return { ...state, packages: state.packages.with(change.package.id, change.package, true) };
    case "packages-vetted":
      return withSynchronizer(state, vetted(existing(state.synchronizers, change.synchronizerId), change.vetted));
    case "traffic-credited":
      return withTraffic(state, (traffic) => credited(traffic, change.update));
    case "traffic-events-pruned":
      return withTraffic(state, (traffic) => prunedUntil(traffic, change.beforeOrAtMs));
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

/** Adds rights to a set; the resource version stays (spec §3). */
function granted(user: User, added: readonly Right[], rightsPerUserMax: number): User {
  const rights = user.rights.with(added);
  if (rights.size > rightsPerUserMax) throw new Error(`invariant: user ${user.id} would hold ${rights.size} rights`);
  return { ...user, rights };
}

function revoked(user: User, rights: readonly Right[]): User {
  return { ...user, rights: user.rights.without(rights) };
}

function deactivated(user: User): User {
  return updated(user, { ...user, isDeactivated: true });
}

/** Increments the resource version, also for an update without effect. Granting rights does not. */
function updated(before: User, after: User): User {
  return { ...after, rights: before.rights, resourceVersion: nextVersion(before.resourceVersion) };
}

function vetted(synchronizer: Synchronizer, packages: readonly VettedPackage[]): Synchronizer {
  return {
    ...synchronizer,
    vetted: new Map(packages.map((row) => [row.packageId, row])),
    topologySerial: synchronizer.topologySerial + 1,
  };
}

/** The commands without those completed before `expiredMs`. Scans them only if one may be older. */
function withoutExpired(
  known: LedgerState["commands"],
  oldestCommandMs: number,
  expiredMs: number,
): Pick<LedgerState, "commands" | "oldestCommandMs"> {
  if (oldestCommandMs >= expiredMs) return { commands: known, oldestCommandMs };
  let [commands, oldestMs] = [known, Number.POSITIVE_INFINITY];
  for (const { key, completedAtMs } of known.values())
    if (completedAtMs < expiredMs) commands = commands.without(key);
    else oldestMs = Math.min(oldestMs, completedAtMs);
  return { commands, oldestCommandMs: oldestMs };
}

/** Offsets grow by one with each transaction. Commands beyond the deduplication period are dropped. */
function committed(state: LedgerState, command: CompletedCommand, update: Update): LedgerState {
  if (update.offset !== state.ledgerEnd + 1n)
    throw new Error(`invariant: offset ${update.offset} does not follow ${state.ledgerEnd}`);
  const known = state.commands.with(command.key, command, true);
  const synchronizer = state.synchronizers.get(update.synchronizerId);
  const expiredMs = command.completedAtMs - state.limits.deduplicationMsMax;
  return {
    ...state,
    ...withoutExpired(known, Math.min(state.oldestCommandMs, command.completedAtMs), expiredMs),
    traffic: state.traffic && debited(state.traffic, update.submitters, update.offset, update.committedAtMs),
    ledgerEnd: update.offset,
    contracts: update.events.reduce(withEvent, state.contracts),
    updates: state.updates.with(update.updateId, update, true),
    updateIds: state.updateIds.with(offsetKey(update.offset), update.updateId, true),
    synchronizers:
      synchronizer === undefined || synchronizer.recordTimeMs === update.committedAtMs
        ? state.synchronizers
        : state.synchronizers.with(synchronizer.id, { ...synchronizer, recordTimeMs: update.committedAtMs }, true),
  };
}

/** A contract is created once and consumed once. */
function withEvent(contracts: Table<LedgerContract>, event: UpdateEvent): Table<LedgerContract> {
  const { contractId } = event.contract;
  if (event.type === "created") {
    const more = contracts.with(contractId, event.contract, true);
    if (more.size === contracts.size) throw new Error(`invariant: contract ${contractId} is there already`);
    return more;
  }
  if (!event.isConsuming) return contracts;
  const fewer = contracts.without(contractId);
  if (fewer.size === contracts.size) throw new Error(`invariant: contract ${contractId} is not active`);
  return fewer;
}

function withProposal(state: LedgerState, party: string, participantId: string): LedgerState {
  const hosts = new Set([...(state.proposals.get(party) ?? []), participantId]);
  return { ...state, proposals: state.proposals.with(party, [...hosts], true) };
}

function withTraffic(state: LedgerState, changed: (traffic: TrafficEnforcement) => TrafficEnforcement): LedgerState {
  return { ...state, traffic: state.traffic && changed(state.traffic) };
}

function withUser(state: LedgerState, user: User): LedgerState {
  return { ...state, users: state.users.with(user.id, user, true) };
}

function withSynchronizer(state: LedgerState, synchronizer: Synchronizer): LedgerState {
  return { ...state, synchronizers: state.synchronizers.with(synchronizer.id, synchronizer, true) };
}
