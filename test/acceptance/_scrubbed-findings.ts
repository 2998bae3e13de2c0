import { expect } from "vitest";
import { Judge, type JudgeSettings } from "../../src/checker/engine/checker.ts";
import { Verdict, type VerdictSummary } from "../../src/checker/engine/verdict.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { impliedRegistryProfile, loadSpec } from "../../src/foundation/spec/spec.ts";
import { harEntry } from "../../src/recordings/har/har-entry.ts";
import { createScrubber, type ScrubberSettings } from "../../src/recordings/redaction/redactor.ts";
import { trafficOf } from "./_scenario-traffic.ts";

export const profiles: readonly string[] = ["document", "canton-3.5", "canton-3.4.12", "canton-3.4.11"];

export function judged(exchanges: readonly Exchange[], ledger: string): VerdictSummary {
  const spec = loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasNeighbours: true });
  const settings: JudgeSettings = {
    spec,
    level: "release",
    areNeighboursJudged: true,
    order: "one-by-one",
    isAlone: true,
  };
  const verdict = new Verdict(spec);
  const judge = new Judge(settings, verdict);
  for (const exchange of exchanges) judge.add(exchange);
  judge.end();
  return verdict.summary();
}

/** What was found, without the values that were found. */
export function findings({
  exchanges,
  passed,
  known,
  warned,
  failed,
  matrix,
  violations,
  coverage,
}: VerdictSummary): object {
  const counted = violations.map(({ fingerprint, count }) => [fingerprint, count]);
  return { exchanges, passed, known, warned, failed, matrix, counted, coverage };
}

/** The entry of a recording, as text. */
export const written = (exchange: Exchange): string => JSON.stringify(harEntry(exchange));

/** Fails unless the traffic of a scenario has the same findings when it is scrubbed, in every profile. */
export async function expectSameFindings(file: string): Promise<void> {
  for (const profile of profiles) {
    const traffic = await trafficOf(file, profile);
    const settings: readonly ScrubberSettings[] = [{}, { keepsIds: true }, { renamesUsers: true }];
    for (const setting of settings) {
      const scrubber = createScrubber(setting);
      const scrubbed = traffic.map(scrubber.scrub);
      expect(findings(judged(scrubbed, profile))).toEqual(findings(judged(traffic, profile)));
      expect(scrubbed.flatMap((exchange) => scrubber.leaksIn(written(exchange)))).toEqual([]);
    }
  }
}
