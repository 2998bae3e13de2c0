import { checkTrace } from "../../../src/checker/engine/checker.ts";
import type { VerdictSummary } from "../../../src/checker/engine/verdict.ts";
import { probes } from "../../../src/checker/probes/index.ts";
import { unmetRequirements } from "../../../src/checker/probing/required-operations.ts";
import { RefusedOperations } from "../../../src/checker/reports/refused-operations.ts";
import type { Exchange } from "../../../src/foundation/http/exchange.ts";
import type { Handler } from "../../../src/foundation/http/handler.ts";
import { impliedRegistryProfile, loadSpec } from "../../../src/foundation/spec/spec.ts";
import { probe, probedStub } from "../../acceptance/_probed.ts";
import type { Mutant } from "../_mutant.ts";

/** What a check of one server finds. Empty lists for a server without a fault. */
export interface Detection {
  /** Rules that fail, and operations without a success, in a check of the live server with every flag. */
  readonly live: readonly string[];
  /** Rules that fail in a recording of the same exchanges, a second apart. */
  readonly apart: readonly string[];
  /** Rules that fail in a recording whose exchanges follow each other within a millisecond. */
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
  const { summary, reports } = await probe(
    { ...stub, handler },
    { allowed: "destructive", seed, client: { nowMs: () => nowMs } },
  );
  const spec = specOf(profile);
  const apis = new Set(["ledger", "registry"] as const);
  const unmet = unmetRequirements(reports, summary, {
    required: undefined,
    apis,
    allowed: "destructive",
    probes,
    spec,
  });
  return {
    live: [...failing(summary), ...unmet.map(({ subject }) => subject)],
    apart: checkedRecording(recorded, profile, (index) => timeOf(index, 1000, 1 + responseMs)),
    adjacent: checkedRecording(recorded, profile, (index) => timeOf(index, 0, 0.4 + responseMs)),
  };
}

/** The time of an exchange after others with the same duration and the same pauses. */
function timeOf(
  index: number,
  pauseMs: number,
  durationMs: number,
): { readonly startMs: number; readonly durationMs: number } {
  return { startMs: Math.floor(index * (pauseMs + durationMs)), durationMs };
}

function specOf(profile: Mutant["profile"]) {
  return loadSpec({ ledger: profile, registry: impliedRegistryProfile(profile) }, { hasAdditionalOperations: true });
}

function failing({ violations }: VerdictSummary): readonly string[] {
  return [...new Set(violations.filter(({ outcome }) => outcome === "FAIL").map(({ rule }) => rule))];
}

const startMs = Date.parse("2026-01-01T00:05:00Z");

/** Checks a recording of the only client of a server. Recorders write the start in whole milliseconds. */
function checkedRecording(
  recorded: readonly Pick<Exchange, "request" | "response">[],
  profile: Mutant["profile"],
  timeAt: (index: number) => ReturnType<typeof timeOf>,
): readonly string[] {
  const steps = recorded.map((exchange, index) => {
    const time = timeAt(index);
    const startedAt = new Date(startMs + time.startMs).toISOString();
    return { exchange: { ...exchange, startedAt, durationMs: time.durationMs } };
  });
  const level = profile === "spec" ? "spec" : "release";
  const spec = specOf(profile);
  const refused = new RefusedOperations(spec);
  const options = { spec, level, areAdditionalOperationsChecked: true, order: "by-time", isExclusive: true } as const;
  const summary = checkTrace(steps, { ...options, onVerdict: refused.add }).summary();
  return [...failing(summary), ...refused.list().map(({ subject }) => subject)];
}
