import { expect } from "vitest";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { isPlayable } from "../../src/scenarios/files/load-scenario.ts";
import { scenarioOf } from "../_scenario.ts";
import { expectPlayed, inferred, recordingOf } from "./_inferred.ts";
import { oneLedgerNames } from "./_replayed.ts";

/** Each scenario with one ledger in each profile in which it holds. */
export const trips: readonly (readonly [file: string, profile: string])[] = oneLedgerNames.flatMap((name) => {
  const file = `${name}.arazzo.yaml`;
  const { profiles, initial } = scenarioOf(file);
  const holding = profiles.length > 0 ? profiles : profileNamesOf("ledger");
  return holding.filter((profile) => isPlayable(initial.ledger, profile)).map((profile) => [file, profile] as const);
});

/** The faults that scenarios have of their own. */
const faults: Readonly<Record<string, readonly string[]>> = {
  "commit-then-timeout.arazzo.yaml": [
    "step 1 (POST /v2/interactive-submission/executeAndWait): the recorded response is 504 REQUEST_TIME_OUT, the stub's response is 200",
  ],
};

/** Fails unless a recording, redacted or not, becomes a scenario in which nothing but the scenario's faults is planned. */
export async function expectInferred(file: string, profile: string): Promise<void> {
  const recording = await recordingOf(scenarioOf(file), profile);
  for (const exchanges of [recording, recording.map(createRedactor().redact)]) {
    const result = await inferred(exchanges);
    expect([result.planned, result.unresolved]).toEqual([faults[file] ?? [], []]);
    await expectPlayed(result, exchanges);
  }
}
