import { expect } from "vitest";
import { Checker, type CheckerOptions } from "../../src/checker/engine/checker.ts";
import { Verdict, type VerdictSummary } from "../../src/checker/engine/verdict.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { impliedRegistryProfile, loadSpec } from "../../src/foundation/spec/spec.ts";
import { harEntry } from "../../src/recordings/har/har-entry.ts";
import { createRedactor, type RedactorOptions } from "../../src/recordings/redaction/redactor.ts";
import { trafficOf } from "./_scenario-traffic.ts";

export const profiles: readonly string[] = ["spec", "canton-3.5", "canton-3.4.12", "canton-3.4.11"];

export function checked(exchanges: readonly Exchange[], ledger: string): VerdictSummary {
  const spec = loadSpec({ ledger, registry: impliedRegistryProfile(ledger) }, { hasAdditionalOperations: true });
  const options: CheckerOptions = {
    spec,
    level: "release",
    areAdditionalOperationsChecked: true,
    order: "one-by-one",
    isExclusive: true,
  };
  const verdict = new Verdict(spec);
  const checker = new Checker(options, verdict);
  for (const exchange of exchanges) checker.add(exchange);
  checker.end();
  return verdict.summary();
}

/** Counts and fingerprints of the findings, without their values. */
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

/** Expects the same findings for the traffic of a scenario with and without redaction, in every profile. */
export async function expectSameFindings(file: string): Promise<void> {
  for (const profile of profiles) {
    const traffic = await trafficOf(file, profile);
    const variants: readonly RedactorOptions[] = [{}, { keepsIds: true }, { renamesUsers: true }];
    for (const options of variants) {
      const redactor = createRedactor(options);
      const redacted = traffic.map(redactor.redact);
      expect(findings(checked(redacted, profile))).toEqual(findings(checked(traffic, profile)));
      expect(redacted.flatMap((exchange) => redactor.leaksIn(written(exchange)))).toEqual([]);
    }
  }
}
