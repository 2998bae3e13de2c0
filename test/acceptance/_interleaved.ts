import { expect } from "vitest";
import { checkTrace } from "../../src/checker/engine/checker.ts";
import type { VerdictSummary } from "../../src/checker/engine/verdict.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { jsonOf } from "../../src/foundation/json/json.ts";
import { impliedRegistryProfile, loadSpec } from "../../src/foundation/spec/spec.ts";
import { scenarioOf } from "../_scenario.ts";

// Random clients with overlapping exchanges. A request takes effect at one point in time between its start and its end.

type Random = () => number;

/** A linear congruential generator: the same seed gives the same run (a failed assertion names the seed). */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface CallTiming {
  readonly client: number;
  readonly startMs: number;
  readonly effectMs: number;
  readonly endMs: number;
}

const epochMs = Date.parse("2026-01-01T00:00:00Z");

/** The times of all calls, by effect: a client waits for its responses, and clients are independent. */
function timingsOf(random: Random, clients: number, each: number): readonly CallTiming[] {
  const timings = Array.from({ length: clients }, (_, client) => {
    let nowMs = epochMs + Math.floor(random() * 20);
    return Array.from({ length: each }, (): CallTiming => {
      const startMs = nowMs + Math.floor(random() * 30);
      const effectMs = startMs + random() * 15;
      const endMs = Math.ceil(effectMs + random() * 15);
      nowMs = endMs;
      return { client, startMs, effectMs, endMs };
    });
  });
  return timings.flat().sort((left, right) => left.effectMs - right.effectMs);
}

const parties = ["alice::1220ab", "bob::1220cd"];
const packages = [
  "5eb7e725e6bac43f2a906437aa7be080081de786a7d12f7b9649be47b69d6ca0",
  "80d6ae0197c2a3be4ec46d171996105891dedf626ea3040f2dd2bf00e63c436e",
];
const synchronizer = "second-domain::12200c3658a471c4732611085ea99d675b626c9a9f409ac0c149df4848e86ee5edc6";

interface Call {
  readonly method: string;
  readonly target: string;
  readonly body?: object;
}

/** The next call of a client; `pageToken` comes from its last page. */
function callOf(random: Random, pageToken: string): Call {
  const pick = <Element>(...from: readonly Element[]) => from[Math.floor(random() * from.length)] ?? from[0];
  const user = `u${Math.floor(random() * 3)}`;
  const rights = [{ kind: { [pick("CanActAs", "CanReadAs") ?? ""]: { value: { party: pick(...parties) } } } }];
  const operation = { [pick("Vet", "Unvet") ?? ""]: { value: { packages: [{ packageId: pick(...packages) }] } } };
  const token = pageToken === "" ? "" : `&pageToken=${encodeURIComponent(pageToken)}`;
  const calls: readonly Call[] = [
    { method: "GET", target: `/v2/users?pageSize=${pick(1, 2, 3)}${token}` },
    { method: "GET", target: `/v2/users?pageSize=${pick(1, 2, 3)}${token}` },
    { method: "GET", target: "/v2/users" },
    { method: "GET", target: "/v2/users?pageToken=" },
    { method: "POST", target: "/v2/users", body: { user: { id: user }, rights: [] } },
    { method: "DELETE", target: `/v2/users/${user}` },
    { method: "POST", target: `/v2/users/${user}/rights`, body: { userId: user, rights } },
    { method: "POST", target: `/v2/users/${user}/rights`, body: { userId: user, rights, identityProviderId: "" } },
    { method: "PATCH", target: `/v2/users/${user}/rights`, body: { userId: user, rights } },
    {
      method: "PATCH",
      target: `/v2/users/${user}`,
      body: {
        user: { id: user, isDeactivated: pick(true, false), metadata: { annotations: { a: pick("", "x", "y") } } },
        updateMask: { paths: [pick("is_deactivated", "metadata.annotations")], unknownFields: { fields: {} } },
      },
    },
    {
      method: "POST",
      target: "/v2/package-vetting",
      body: { changes: [{ operation }], dryRun: pick(true, false), synchronizerId: synchronizer },
    },
  ];
  return pick(...calls) ?? { method: "GET", target: "/v2/users" };
}

async function interleavedExchanges(handler: Handler, seed: number): Promise<readonly Exchange[]> {
  const random = randomOf(seed);
  const tokens = new Map<number, string>();
  const exchanges: Exchange[] = [];
  for (const { client, startMs, endMs } of timingsOf(random, 4, 60)) {
    const { method, target, body } = callOf(random, tokens.get(client) ?? "");
    const request = {
      method,
      target,
      headers: [
        ["Host", "node.example"],
        ["Authorization", "Bearer any"],
      ] as const,
      body: new Body(body === undefined ? "" : JSON.stringify(body)),
    };
    const response = await handler(request);
    if (response.type === "response" && target.startsWith("/v2/users?")) tokens.set(client, tokenIn(response.body));
    exchanges.push({
      startedAt: new Date(Math.floor(startMs)).toISOString(),
      durationMs: endMs - Math.floor(startMs),
      request,
      response,
    });
  }
  return exchanges;
}

function tokenIn(body: Body): string {
  const json = jsonOf(body.text());
  const token = typeof json === "object" && json !== null && "nextPageToken" in json ? json["nextPageToken"] : "";
  return typeof token === "string" ? token : "";
}

function targetIn(ledger: string): Handler {
  const file = new URL("../../scenarios/quickstart.arazzo.yaml", import.meta.url).pathname;
  const scenario = scenarioOf(file, { profile: ledger });
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  return hostScenario(scenario, { profile, wallNowMs: () => 0 }).handler;
}

function checked(ledger: string, exchanges: readonly Exchange[]): VerdictSummary {
  const spec = loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true });
  const steps = exchanges.map((exchange) => ({ exchange }));
  return checkTrace(steps, { spec, order: "by-time" }).summary();
}

/** Asserts that random clients, one run for each seed, cause no findings in any order of the recording. */
export async function expectNoFindings(ledger: string, seedMax: number): Promise<void> {
  for (let seed = 1; seed <= seedMax; seed += 1) {
    const byEffect = await interleavedExchanges(targetIn(ledger), seed);
    const byStart = [...byEffect].sort((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
    const summary = checked(ledger, byStart);
    expect({ seed, violations: summary.violations }).toEqual({ seed, violations: [] });
    for (const order of [byEffect, [...byStart].reverse()])
      expect({ seed, violations: checked(ledger, order).violations }).toEqual({ seed, violations: [] });
    const applied = new Set(summary.matrix.map(({ rule }) => rule));
    for (const rule of ["pages-disjoint", "patch-changes-only-mask"]) expect(applied, `seed ${seed}`).toContain(rule);
  }
}

/** Asserts that the trace rules apply to exchanges in the runs of these seeds. */
export async function expectRulesApply(seedMax: number): Promise<void> {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= seedMax; seed += 1)
    for (const { rule, count } of checked("canton-3.5", await interleavedExchanges(targetIn("canton-3.5"), seed))
      .matrix)
      counts.set(rule, (counts.get(rule) ?? 0) + count);
  const rules = ["grants-are-idempotent", "grants-keep-version", "patch-changes-only-mask", "vetting-state-follows"];
  for (const rule of [...rules, "pages-disjoint", "paging-ends", "dry-run-raises-errors", "empty-token-starts"])
    expect(counts.get(rule) ?? 0, rule).toBeGreaterThan(0);
}
