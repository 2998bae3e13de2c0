import type { Response } from "../../foundation/http/response.ts";
import { formatJson, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { HostedWorld } from "../hosting/hosted-world.ts";
import type { Hosting } from "../hosting/hosting.ts";
import type { KeptWorlds } from "../hosting/kept-worlds.ts";
import { stateAt } from "../hosting/state-at.ts";
import { labelPattern, labelsMax, type WorldDetails } from "../hosting/world-details.ts";
import type { ControlCaller } from "./access.ts";
import { problem } from "./control-problem.ts";
import { createdResponse } from "./created-response.ts";

/** The longest life of a fork: a year of 365 days. */
const ttlMsMax: number = 365 * 24 * 60 * 60 * 1000;

/** The number of worlds with a label. */
export type CountWorlds = (label: string) => number;

export interface ForkCall {
  readonly body: JsonObject;
  readonly caller: ControlCaller | undefined;
  /** The worlds of a store, counted before; undefined to count those of this process. */
  readonly countWorlds?: CountWorlds | undefined;
}

/** Forks a world, unless the body is not valid or a limit or a quota is reached. */
export function forkResponse(hosting: Hosting, hosted: HostedWorld, id: string, call: ForkCall): Response {
  const state = startOf(hosted, call.body);
  if (typeof state === "object" && "error" in state) return problem(state.status, state.error);
  const details = detailsOf(call, hosted.labels, Math.round(hosting.steadyNowMs()));
  if (typeof details === "string") return problem(400, details);
  const beyond = beyondQuota(hosting, details.labels, call.countWorlds);
  if (beyond !== undefined) return problem(409, beyond);
  return createdResponse(hosting, hosting.fork(id, state, details));
}

/** The labels that a fork will have, if its body is valid. */
export function labelsOfFork(hosting: Hosting, id: string, body: JsonObject): readonly string[] {
  return labelsIn(body["labels"] ?? null) ?? hosting.worlds.get(id)?.labels ?? [];
}

/** Counts the worlds of a store with labels that have a quota; undefined if the store does not respond. */
export async function countStored(
  hosting: Hosting,
  kept: KeptWorlds,
  labels: readonly string[],
): Promise<CountWorlds | undefined> {
  const counted = hosting.quotas?.counted(labels).filter(({ quota }) => quota.worlds !== undefined) ?? [];
  const counts = new Map<string, number>();
  try {
    for (const { label } of counted) counts.set(label, await kept.keeper.count(label));
  } catch {
    return undefined;
  }
  return (label) => counts.get(label) ?? 0;
}

interface Refusal {
  readonly status: number;
  readonly error: string;
}

/** The state from which the fork starts. */
function startOf(hosted: HostedWorld, { from = "now", at }: JsonObject): "now" | "start" | WorldState | Refusal {
  if (from !== "now" && from !== "start")
    return { status: 400, error: `"from": ${shortened(formatJson(from))} is not valid. Use "now" or "start".` };
  if (at === undefined) return from;
  const isNumber = typeof at === "number" && Number.isInteger(at) && at >= 0;
  const error = `There is no exchange ${shortened(formatJson(at))}, or the journal has dropped it.`;
  return (isNumber ? stateAt(hosted, at) : undefined) ?? { status: 404, error };
}

type ForkDetails = Omit<WorldDetails, "sources">;

/** The details of the fork, or the problem with the body. */
function detailsOf({ body, caller }: ForkCall, inherited: readonly string[], nowMs: number): ForkDetails | string {
  const { labels: given, ttl } = body;
  const labels = given === undefined ? inherited : labelsIn(given);
  if (labels === undefined)
    return `"labels": ${shortened(formatJson(given ?? null))} is not valid. Use a list of at most ${labelsMax} different labels, each with 1 to 63 of the characters A-Z a-z 0-9 . _ -`;
  const ttlMs = typeof ttl === "string" ? durationMs(ttl) : undefined;
  if (ttl !== undefined && (ttlMs === undefined || ttlMs < 1 || ttlMs > ttlMsMax))
    return `"ttl": ${shortened(formatJson(ttl))} is not valid. Use an ISO-8601 duration such as "PT8H", at most PT8760H.`;
  return { labels, expiresMs: ttlMs === undefined ? undefined : nowMs + ttlMs, creator: caller?.tokenDigest };
}

/** The labels of a list; undefined if it is not valid. */
export function labelsIn(given: Json): readonly string[] | undefined {
  if (!Array.isArray(given) || given.length > labelsMax) return undefined;
  const labels = given.filter((label) => typeof label === "string" && labelPattern.test(label)).map(String);
  return new Set(labels).size === given.length ? labels : undefined;
}

/** Why a new world with these labels is refused; undefined if all quotas allow it. */
export function beyondQuota(
  hosting: Hosting,
  labels: readonly string[],
  countWorlds: CountWorlds = (label) => worldsWith(hosting, label),
): string | undefined {
  const counted = hosting.quotas?.counted(labels) ?? [];
  const beyond = counted.find(({ label, quota: { worlds } }) => worlds !== undefined && countWorlds(label) >= worlds);
  if (beyond === undefined) return undefined;
  beyond.exceed("worlds");
  const { label, quota } = beyond;
  return `The label ${label} has its ${quota.worlds} worlds (--quota ${label}:worlds). Remove one of them, or raise the quota.`;
}

/** The number of worlds of this process with a label. Each world counts once, not each of its participants. */
function worldsWith(hosting: Hosting, label: string): number {
  let count = 0;
  for (const [id, { first, labels }] of hosting.worlds) if (id === first && labels.includes(label)) count += 1;
  return count;
}
