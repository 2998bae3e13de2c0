import { type Table, tableOf } from "../../foundation/table/table.ts";

/** Traffic accounts of a node that enforces traffic (Canton 3.6, OpenAPI description, source and tests of traffic enforcement). */
export interface TrafficEnforcement {
  /** Whether a submission is refused if the balance does not cover its cost. */
  readonly enforcesCost: boolean;
  /** Whether submissions of several parties are refused; otherwise they cost nothing. */
  readonly rejectsSeveralSubmitters: boolean;
  /** What each submission costs. A node computes it. */
  readonly submissionCost: number;
  /** By id, which is that of the party. */
  readonly accounts: Table<TrafficAccount>;
  /** The time of each event in virtual time, by source and id. An event applies once. */
  readonly events: Table<number>;
}

/** Sums of an account; both are int64 and never negative. The balance is their difference. */
interface TrafficAccount {
  readonly id: string;
  readonly credits: bigint;
  readonly debits: bigint;
}

/** An update of an account by an administrator. */
export interface TrafficUpdate {
  readonly accountId: string;
  readonly delta: bigint;
  readonly deduplicationId: string;
  readonly atMs: number;
}

const int64Max = 2n ** 63n - 1n;

/** The account; one that was never updated is empty. */
export function trafficAccount({ accounts }: TrafficEnforcement, id: string): TrafficAccount {
  return accounts.get(id) ?? { id, credits: 0n, debits: 0n };
}

export function balanceOf({ credits, debits }: TrafficAccount): bigint {
  return credits - debits;
}

/** Whether an update with this id has been applied, to any account. */
export function isUpdateKnown({ events }: TrafficEnforcement, deduplicationId: string): boolean {
  return events.has(updateKey(deduplicationId));
}

/** Whether the sum of the credits stays in its bounds. */
export function isUpdateInBounds(traffic: TrafficEnforcement, { accountId, delta }: TrafficUpdate): boolean {
  const credits = trafficAccount(traffic, accountId).credits + delta;
  return credits >= 0n && credits <= int64Max;
}

export function credited(traffic: TrafficEnforcement, update: TrafficUpdate): TrafficEnforcement {
  if (isUpdateKnown(traffic, update.deduplicationId) || !isUpdateInBounds(traffic, update))
    throw new Error(`invariant: the update ${update.deduplicationId} of a traffic account was checked before`);
  const account = trafficAccount(traffic, update.accountId);
  return {
    ...traffic,
    accounts: traffic.accounts.with(account.id, { ...account, credits: account.credits + update.delta }, true),
    events: traffic.events.with(updateKey(update.deduplicationId), update.atMs, true),
  };
}

/** Takes the cost of a submission off the account of its only submitter. */
export function debited(
  traffic: TrafficEnforcement,
  submitters: readonly string[],
  offset: bigint,
  atMs: number,
): TrafficEnforcement {
  const [submitter, ...others] = new Set(submitters);
  if (submitter === undefined || others.length > 0) return traffic;
  const account = trafficAccount(traffic, submitter);
  const debits = account.debits + BigInt(traffic.submissionCost);
  return {
    ...traffic,
    accounts: traffic.accounts.with(account.id, { ...account, debits }, true),
    events: traffic.events.with(`submission ${offset}`, atMs, true),
  };
}

/** The keys of the events up to a time, which is included. */
export function eventsUntil({ events }: TrafficEnforcement, beforeOrAtMs: number): readonly string[] {
  return [...events.entries()].flatMap(([key, atMs]) => (atMs <= beforeOrAtMs ? [key] : []));
}

export function prunedUntil(traffic: TrafficEnforcement, beforeOrAtMs: number): TrafficEnforcement {
  const pruned = new Set(eventsUntil(traffic, beforeOrAtMs));
  return { ...traffic, events: tableOf([...traffic.events.entries()].filter(([key]) => !pruned.has(key))) };
}

function updateKey(deduplicationId: string): string {
  return `update ${deduplicationId}`;
}
