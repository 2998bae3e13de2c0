import type { Divergence } from "../../../../foundation/spec/contracts.ts";
import type { Spec } from "../../../../foundation/spec/spec.ts";
import { announcedAdvice, hasUnreadableToken, isConcerned } from "./announced.ts";
import type { Cause } from "./cause.ts";
import { Causes } from "./causes.ts";
import { type RecordedRequest, shownStatus } from "./recorded-request.ts";
import { type Migration, specOf } from "./releases.ts";

/** `breaks`: a request that succeeded is refused, or a response loses a member. `warning`: announced, not described. */
export type Effect = "breaks" | "changes" | "warning";

export interface RequestExample {
  /** Its number in the recording, from 1. */
  readonly exchange: number;
  readonly method: string;
  readonly target: string;
  /** Its status in the recording, and on the later release if that is known. */
  readonly statuses: string;
}

/** The requests with the same cause. */
export interface MigrationFinding {
  readonly effect: Effect;
  readonly cause: string;
  readonly since: string;
  readonly advice: string;
  /** The source of an announcement, or the known divergences of the release; empty without one. */
  readonly evidence: string;
  readonly requests: number;
  readonly example: RequestExample;
}

/** Requests that are inconclusive for the same reason. */
interface InconclusiveRequests {
  readonly reason: string;
  readonly requests: number;
  readonly example: RequestExample;
}

/** The result of a check of a migration. The counts are requests; each is in one of the first four. */
export interface MigrationResult {
  readonly counts: Readonly<Record<"break" | "change" | "same" | "inconclusive" | "other", number>>;
  readonly findings: readonly MigrationFinding[];
  readonly inconclusive: readonly InconclusiveRequests[];
  /** Changes that the recording does not decide. */
  readonly undecided: readonly string[];
}

type Found = Omit<MigrationFinding, "requests" | "example"> & { readonly statuses: string };

/** Collects the findings of a check of a migration, request by request. The data of the releases bound their number. */
export class MigrationFindings {
  readonly #migration: Migration;
  readonly #causes: Causes;
  readonly #divergences: readonly Divergence[];
  readonly #findings = new Map<string, MigrationFinding>();
  readonly #inconclusive = new Map<string, InconclusiveRequests>();
  /** Requests by change that the recording does not decide. */
  readonly #undecided = new Map<string, number>();
  readonly #counts = { break: 0, change: 0, same: 0, inconclusive: 0, other: 0 };
  #unreadableTokens = 0;

  constructor(migration: Migration) {
    this.#migration = migration;
    this.#causes = new Causes(migration);
    this.#divergences = addedDivergences(specOf(migration.from), specOf(migration.checked));
  }

  add(request: RecordedRequest): void {
    if (request.operation === undefined && !/^\/(?:v2|registry|__understudy)\//.test(request.path)) {
      this.#counts.other += 1;
      return;
    }
    if (hasUnreadableToken(request)) this.#unreadableTokens += 1;
    const causes = this.#causes.of(request);
    const found = causes.filter(({ type }) => type !== "undecided").map((cause) => this.#finding(cause, request));
    for (const each of found) this.#count(each, request);
    for (const { title, since } of causes.filter(({ type }) => type === "undecided")) {
      const change = `${title} (since ${since}`;
      this.#undecided.set(change, (this.#undecided.get(change) ?? 0) + 1);
    }
    const reason = found.length > 0 ? undefined : inconclusiveReason(request);
    if (reason !== undefined)
      countGroup(this.#inconclusive, reason, { reason }, request, shownStatus(request.recorded));
    this.#counts[countedAs(found, reason)] += 1;
    for (const each of this.#announced(request)) this.#count(each, request);
  }

  result(): MigrationResult {
    const order: readonly Effect[] = ["breaks", "changes", "warning"];
    const findings = [...this.#findings.values()].sort(
      (left, right) => order.indexOf(left.effect) - order.indexOf(right.effect),
    );
    return {
      counts: this.#counts,
      findings,
      inconclusive: [...this.#inconclusive.values()],
      undecided: [
        ...[...this.#undecided].map(([change, count]) => `${change}; ${requestsOf(count)})`),
        ...this.#undecidedAnnouncements(),
      ],
    };
  }
  #finding({ type, title, advice, since, later }: Cause, { operation, recorded }: RecordedRequest): Found {
    const isBreak = type === "loses" || (type === "refuses" && recorded.status < 400);
    const response = type === "refuses" ? later : type === "accepts" ? undefined : recorded;
    const divergences = this.#divergences.filter(
      ({ operations, match }) =>
        operations.includes(operation?.operationId ?? "") && match.status?.includes(response?.status ?? 0) === true,
    );
    const evidence = divergences.map(({ id, title: divergence }) => `${id} ${divergence}`).join("; ");
    const statuses = [recorded, ...(response === undefined ? [] : [response])].map(shownStatus).join(", then ");
    return { effect: isBreak ? "breaks" : "changes", cause: title, since, advice, evidence, statuses };
  }

  #announced(request: RecordedRequest): readonly Found[] {
    return this.#migration.announced.flatMap(({ release, changes }) =>
      changes
        .filter((change) => isConcerned(change, request))
        .map((change) => ({
          effect: "warning" as const,
          cause: change.title,
          since: release,
          advice: announcedAdvice(change, request, this.#migration.from),
          evidence: `${change.id} ${change.evidence}`,
          statuses: shownStatus(request.recorded),
        })),
    );
  }

  #undecidedAnnouncements(): readonly string[] {
    return this.#migration.announced.flatMap(({ release, changes }) =>
      changes.flatMap(({ id, title, match, evidence }) => {
        if (match === undefined) return [`${id} ${title} (${release}; ${evidence})`];
        if (match.token === undefined || this.#unreadableTokens === 0) return [];
        return [
          `${id} ${title} (${release}): the recording does not show the claims of the token of ${requestsOf(this.#unreadableTokens)}`,
        ];
      }),
    );
  }

  #count({ statuses, ...found }: Found, request: RecordedRequest): void {
    countGroup(this.#findings, `${found.effect} ${found.cause} ${found.advice}`, found, request, statuses);
  }
}

/** Counts a request in its group. The first one is the example. */
function countGroup<Group extends object>(
  groups: Map<string, Group & { readonly requests: number; readonly example: RequestExample }>,
  key: string,
  group: Group,
  { number, exchange, target }: RecordedRequest,
  statuses: string,
): void {
  const { method } = exchange.request;
  const { requests, example } = groups.get(key) ?? {
    requests: 0,
    example: { exchange: number, method, target, statuses },
  };
  groups.set(key, { ...(groups.get(key) ?? group), requests: requests + 1, example });
}

function addedDivergences(before: Spec, after: Spec): readonly Divergence[] {
  const known = new Set(before.divergences.map(({ id }) => id));
  return after.divergences.filter(({ id }) => !known.has(id));
}

/** Why a request without a finding proves nothing of the operation; undefined if it does. */
function inconclusiveReason({ operation, path, recorded }: RecordedRequest): string | undefined {
  if (path.startsWith("/__understudy/")) return undefined;
  if (recorded.status === 0 || recorded.status === 401 || recorded.status >= 500)
    return `the recording has ${shownStatus(recorded)}`;
  return operation === undefined ? "no description of the releases has the operation" : undefined;
}

function countedAs(found: readonly Found[], reason: string | undefined): keyof MigrationResult["counts"] {
  if (found.some(({ effect }) => effect === "breaks")) return "break";
  if (found.length > 0) return "change";
  return reason === undefined ? "same" : "inconclusive";
}

export function requestsOf(count: number): string {
  return `${count} ${count === 1 ? "request" : "requests"}`;
}
