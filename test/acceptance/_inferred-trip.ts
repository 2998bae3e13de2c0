import { expect } from "vitest";
import { compareResponses } from "../../src/checker/comparison/compare-responses.ts";
import { Correspondence } from "../../src/checker/comparison/correspondence.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { isPlayable } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { inferred, loadedFrom, playing, recordingOf, scenarioOf } from "./_inferred.ts";
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

/** Fails unless a recording of the scenario, redacted or not, becomes a scenario that gives the recorded responses. */
export async function expectInferred(file: string, profile: string): Promise<void> {
  const recording = await recordingOf(scenarioOf(file), profile);
  await expectPlayed(recording, file);
  await expectPlayed(recording.map(createRedactor().redact), file);
}

/** Fails unless the recording is played with nothing planned but the faults of the scenario. */
async function expectPlayed(recording: readonly Exchange[], file: string): Promise<void> {
  const result = await inferred(recording);
  expect(result.planned).toEqual(faults[file] ?? []);
  expect(result.unresolved).toEqual([]);
  const made = loadedFrom(result);
  const results = await runScenario(made, { handler: playing(made), hasControl: true, nowMs: () => 0 });
  expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  expect(results.length).toBe(recording.length);
  const correspondence = new Correspondence();
  for (const [place, { exchange }] of results.entries()) {
    const [again, before] = [exchange?.response, recording[place]?.response];
    if (again === undefined || before === undefined) throw new Error("a response is missing");
    const isControl = recording[place]?.request.target.includes("__understudy") === true;
    expect(compareResponses(before, again, { place, isControl }, correspondence)).toBeUndefined();
  }
}
