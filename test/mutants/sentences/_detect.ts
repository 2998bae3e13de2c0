import { checkTrace } from "../../../src/checker/engine/checker.ts";
import type { VerdictSummary } from "../../../src/checker/engine/verdict.ts";
import { probes } from "../../../src/checker/probes/index.ts";
import { unmetRequirements } from "../../../src/checker/probing/required-operations.ts";
import { RefusedOperations } from "../../../src/checker/reports/refused-operations.ts";
import type { Exchange } from "../../../src/foundation/http/exchange.ts";
import type { Handler } from "../../../src/foundation/http/handler.ts";
import { impliedRegistryProfile, loadSpec, type Spec } from "../../../src/foundation/spec/spec.ts";
import { probe, probedStub } from "../../acceptance/_probed.ts";
import type { Mutant } from "../_mutant.ts";
import { consumerDay } from "./_consumer-day.ts";

/** What a check of one server finds. Empty lists for a server without a fault. */
export interface Detection {
  /** Rules that fail, and operations without a success, in a check of the live server with every flag. */
  readonly live: readonly string[];
  /** What fails in recordings of these exchanges, and of the day of an application, a second apart. */
  readonly apart: readonly string[];
  /** What fails in recordings whose exchanges follow each other within a millisecond. */
  readonly adjacent: readonly string[];
}

/** Checks a faulty server with all probes, and the recordings of their exchanges. Each response takes `responseMs`. */
export async function detect(
  { profile, wrap }: Pick<Mutant, "profile" | "wrap">,
  { seed = "t", responseMs = 0 }: { readonly seed?: string; readonly responseMs?: number } = {},
): Promise<Detection> {
  const stub = await probedStub({ ledger: profile });
  const faulty = wrap(stub.handler, stub.tokens.administrator ?? "");
  const recorded: Pick<Exchange, "request" | "response">[] = [];
  let nowMs = startMs;
  const handler: Handler = async (request) => {
    nowMs += responseMs;
    const response = await faulty(request);
    recorded.push({ request, response });
    return response;
  };
  const fresh = await probedStub({ ledger: profile });
  const day = await consumerDay(wrap(fresh.handler, fresh.tokens.administrator ?? ""), fresh);
  const { summary, reports } = await probe(
    { ...stub, handler },
    { allowed: "destructive", seed, client: { nowMs: () => nowMs } },
  );
  const unmet = operationsWithoutSuccess(reports, summary, specOf(profile));
  const inRecordings = (pauseMs: number, durationMs: number) => [
    ...new Set([recorded, day].flatMap((exchanges) => checkedRecording(exchanges, profile, pauseMs, durationMs))),
  ];
  return {
    live: [...failing(summary), ...unmet],
    apart: inRecordings(1000, 1 + responseMs),
    adjacent: inRecordings(0, 0.4 + responseMs),
  };
}

/** Operations that never succeed in a check with every flag, as the check names them. */
export function operationsWithoutSuccess(
  reports: Parameters<typeof unmetRequirements>[0],
  summary: VerdictSummary,
  spec: Spec,
): readonly string[] {
  const apis = new Set(["ledger", "registry"] as const);
  const requirements = { required: undefined, apis, allowed: "destructive", probes, spec } as const;
  return unmetRequirements(reports, summary, requirements).map(({ subject }) => subject);
}

function specOf(ledger: Mutant["profile"]): Spec {
  return loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true });
}

function failing({ violations }: VerdictSummary): readonly string[] {
  return [...new Set(violations.filter(({ outcome }) => outcome === "FAIL").map(({ rule }) => rule))];
}

const startMs = Date.parse("2026-01-01T00:05:00Z");

/**
 * Checks a recording of the only client of a server, with exchanges of the same duration and the same pauses. Recorders write
 * the start in whole milliseconds.
 */
export function checkedRecording(
  recorded: readonly Pick<Exchange, "request" | "response">[],
  profile: Mutant["profile"],
  pauseMs: number,
  durationMs: number,
): readonly string[] {
  const steps = recorded.map(({ request, response }, index) => {
    const startedAt = new Date(startMs + Math.floor(index * (pauseMs + durationMs))).toISOString();
    return { exchange: { request, response, startedAt, durationMs } };
  });
  const level = profile === "spec" ? "spec" : "release";
  const spec = specOf(profile);
  const refused = new RefusedOperations(spec);
  const options = { spec, level, areAdditionalOperationsChecked: true, order: "by-time", isExclusive: true } as const;
  const summary = checkTrace(steps, { ...options, onVerdict: refused.add }).summary();
  return [...failing(summary), ...refused.list().map(({ subject }) => subject)];
}
