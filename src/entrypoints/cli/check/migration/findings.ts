import type { Difference } from "../../../../checker/comparison/difference.ts";
import type { Divergence } from "../../../../foundation/spec/contracts.ts";
import type { Spec } from "../../../../foundation/spec/spec.ts";
import { announcedAdvice, hasUnreadableToken, isConcerned } from "./announced.ts";
import { type Cause, Causes } from "./causes.ts";
import { specOf } from "./play-migration.ts";
import { isRefusedForHiddenProtocol, type PlayedRequest, shownStatus, statusesOf } from "./played-request.ts";
import type { Migration } from "./releases.ts";
import type { SeenDifference } from "./switches.ts";

/** `breaks`: a request that succeeded is refused, or a response loses a member. `warning`: announced, not played. */
export type Effect = "breaks" | "changes" | "warning";

export interface RequestExample {
  /** Its number in the recording, from 1. */
  readonly exchange: number;
  readonly method: string;
  readonly target: string;
  /** Its statuses in the recording and on the later release. */
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
export interface InconclusiveRequests {
  readonly reason: string;
  readonly requests: number;
  readonly example: RequestExample;
}

/** The result of a check of a migration. The counts are requests; each is in one of the first four. */
export interface MigrationResult {
  readonly counts: Readonly<Record<"break" | "change" | "same" | "inconclusive" | "other", number>>;
  readonly findings: readonly MigrationFinding[];
  readonly inconclusive: readonly InconclusiveRequests[];
  /** Announced changes that no recorded request shows. */
  readonly undecided: readonly string[];
}

type Found = Omit<MigrationFinding, "requests" | "example">;

/** Findings and reasons of one check that are listed by themselves. The requests of further ones are counted together. */
export const groupsMax = 1000;

/** Collects the findings of a check of a migration, request by request. */
export class MigrationFindings {
  readonly #migration: Migration;
  readonly #causes: Causes;
  readonly #divergences: readonly Divergence[];
  readonly #findings = new Map<string, MigrationFinding>();
  readonly #inconclusive = new Map<string, InconclusiveRequests>();
  readonly #counts = { break: 0, change: 0, same: 0, inconclusive: 0, other: 0 };
  #unreadableTokens = 0;

  constructor(migration: Migration) {
    const [before, after] = [specOf(migration.from), specOf(migration.played)];
    this.#migration = migration;
    this.#causes = new Causes(migration, [before, after]);
    this.#divergences = addedDivergences(before, after);
  }

  add(played: PlayedRequest): void {
    if (
      played.sent.type === "not-sent" &&
      played.sent.operationId === undefined &&
      !/^\/(?:v2|registry)\//.test(played.path)
    ) {
      this.#counts.other += 1;
      return;
    }
    if (hasUnreadableToken(played)) this.#unreadableTokens += 1;
    const found = new Map(this.#found(played).map((each) => [`${each.effect} ${each.cause}`, each]));
    for (const [key, each] of found) this.#count(key, each, played);
    const reason = inconclusiveReason(played, found.size > 0, this.#migration.from);
    if (reason !== undefined) this.#countInconclusive(reason, played);
    const effects = new Set([...found.values()].map(({ effect }) => effect));
    this.#counts[worstOf(effects, reason !== undefined)] += 1;
    for (const each of this.#announced(played)) this.#count(`warning ${each.cause} ${each.advice}`, each, played);
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
      undecided: this.#undecided(),
    };
  }

  /** What the responses of both stubs, and the request itself, show. */
  #found(played: PlayedRequest): readonly Found[] {
    const { sent, recorded, before, after } = played;
    const ofRequest = this.#causes.ofRequest(played);
    if (ofRequest !== undefined) return [this.#finding(ofRequest, isBreak(played) ? "breaks" : "changes", played)];
    if (before === undefined || after === undefined) return [];
    const isPlayed = recorded.status === 0 || before.status === recorded.status;
    const shown = isPlayed ? [] : this.#causes.ofRecorded(played);
    const differences = sent.type === "different" ? sent.differences : [];
    return [
      ...shown.map((cause) => this.#finding(cause, "changes", played)),
      ...differences.flatMap((difference) => this.#ofDifference({ played, before, after, difference }, isPlayed)),
    ];
  }

  /** `isPlayed`: whether the stub of the recording's release gives the recorded status. */
  #ofDifference(seen: SeenDifference, isPlayed: boolean): readonly Found[] {
    const { played, difference } = seen;
    const cause = this.#causes.ofDifference(seen);
    const isStatus = difference.aspect === "status" || difference.aspect === "response";
    const isMissing = difference.aspect === "missing" && cause?.isOfRequest !== true;
    const effect = (isStatus && isBreak(played)) || isMissing ? "breaks" : "changes";
    if (cause !== undefined) return isPlayed || cause.isOfRequest ? [this.#finding(cause, effect, played)] : [];
    if (!isPlayed || (played.sent.type === "different" && played.sent.after.length > 0)) return [];
    return [this.#finding(this.#unnamed(played, difference), effect, played)];
  }

  #unnamed({ sent, path, exchange }: PlayedRequest, { aspect, pointer }: Difference): Cause {
    const operation = sent.operationId ?? `${exchange.request.method} ${path}`;
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
    const since = this.#migration.played;
    if (aspect === "surplus") {
      const advice = "Ignore members that the client does not know.";
      return { title: `the response to ${operation} has the new member ${place}`, advice, since, isOfRequest: false };
    }
    const where = place === "" ? "" : ` at ${place}`;
    const advice = "No named change explains it. Compare both responses with understudy serve --profile.";
    return { title: `the response to ${operation} differs${where}`, advice, since, isOfRequest: false };
  }

  #finding({ title, advice, since }: Cause, effect: Effect, { sent, after }: PlayedRequest): Found {
    const divergences = this.#divergences.filter(
      ({ operations, match }) =>
        operations.includes(sent.operationId ?? "") && match.status?.includes(after?.status ?? 0) === true,
    );
    const evidence = divergences.map(({ id, title: divergence }) => `${id} ${divergence}`).join("; ");
    return { effect, cause: title, since, advice, evidence };
  }

  #announced(played: PlayedRequest): readonly Found[] {
    return this.#migration.announced.flatMap(({ release, changes }) =>
      changes
        .filter((change) => isConcerned(change, played))
        .map((change) => ({
          effect: "warning" as const,
          cause: change.title,
          since: release,
          advice: announcedAdvice(change, played, this.#migration.from),
          evidence: `${change.id} ${change.evidence}`,
        })),
    );
  }

  #undecided(): readonly string[] {
    return this.#migration.announced.flatMap(({ release, changes }) =>
      changes.flatMap(({ id, title, match, evidence }) => {
        if (match === undefined) return [`${id} ${title} (${release}; ${evidence})`];
        if (match.token === undefined || this.#unreadableTokens === 0) return [];
        const requests = `${this.#unreadableTokens} ${this.#unreadableTokens === 1 ? "request" : "requests"}`;
        return [`${id} ${title} (${release}): the recording does not show the claims of the token of ${requests}`];
      }),
    );
  }

  #count(key: string, found: Found, played: PlayedRequest): void {
    if (this.#findings.has(key) || this.#findings.size < groupsMax) countGroup(this.#findings, key, found, played);
    else countGroup(this.#findings, found.effect, { ...found, ...furtherCauses }, played);
  }

  #countInconclusive(reason: string, played: PlayedRequest): void {
    const isListed = this.#inconclusive.has(reason) || this.#inconclusive.size < groupsMax;
    const group = isListed ? reason : `reasons beyond the first ${groupsMax}`;
    countGroup(this.#inconclusive, group, { reason: group }, played);
  }
}

const furtherCauses = { cause: `causes beyond the first ${groupsMax}`, advice: "", evidence: "" };

/** Counts a request in its group. The first one is the example. */
function countGroup<Group extends object>(
  groups: Map<string, Group & { readonly requests: number; readonly example: RequestExample }>,
  key: string,
  group: Group,
  played: PlayedRequest,
): void {
  const { requests, example } = groups.get(key) ?? { requests: 0, example: exampleOf(played) };
  groups.set(key, { ...(groups.get(key) ?? group), requests: requests + 1, example });
}

function addedDivergences(before: Spec, after: Spec): readonly Divergence[] {
  const known = new Set(before.divergences.map(({ id }) => id));
  return after.divergences.filter(({ id }) => !known.has(id));
}

/** Whether the later release refuses a request that the recording, or the stub of its release, accepts. */
function isBreak({ recorded, before, after }: PlayedRequest): boolean {
  const isAccepted = ({ status }: { readonly status: number }): boolean => status > 0 && status < 400;
  const wasAccepted = recorded.status === 0 ? before !== undefined && isAccepted(before) : isAccepted(recorded);
  return after !== undefined && after.status >= 400 && wasAccepted;
}

/** Why a request is inconclusive; undefined if it is not. */
function inconclusiveReason(played: PlayedRequest, hasFinding: boolean, from: string): string | undefined {
  const { sent, recorded, before } = played;
  if (sent.type === "not-sent") return sent.reason;
  if (sent.type === "dependent") return "it needs ids that the stubs did not return";
  if (hasFinding || before === undefined) return undefined;
  if (isRefusedForHiddenProtocol(played)) return "it was refused, and the value of Sec-WebSocket-Protocol is redacted";
  if (recorded.status === 0 && before.status >= 400)
    return `the recording has no response, the stub of ${from} ${shownStatus(before)}`;
  if (recorded.status !== 0 && before.status !== recorded.status) {
    if (sent.operationId === undefined) return "the stub does not serve the operation";
    return `the recording has ${shownStatus(recorded)}, the stub of ${from} ${shownStatus(before)}`;
  }
  return sent.type === "different" && sent.after.length > 0
    ? "the responses differ, possibly because of an earlier request"
    : undefined;
}

function worstOf(effects: ReadonlySet<Effect>, isInconclusive: boolean): keyof MigrationResult["counts"] {
  if (effects.has("breaks")) return "break";
  if (effects.has("changes")) return "change";
  return isInconclusive ? "inconclusive" : "same";
}

function exampleOf(played: PlayedRequest): RequestExample {
  const { number, method, target } = played.sent;
  return { exchange: number, method, target, statuses: statusesOf(played) };
}
