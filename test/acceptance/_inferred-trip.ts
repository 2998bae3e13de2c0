import { expect } from "vitest";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { headerValues } from "../../src/foundation/http/header.ts";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { createRedactor } from "../../src/recordings/redaction/redactor.ts";
import { isPlayable } from "../../src/scenarios/files/load-scenario.ts";
import { scenarioOf } from "../_scenario.ts";
import { expectPlayed, inferred, recordingOf } from "./_inferred.ts";
import { scenarioNames } from "./_replayed.ts";

/** Each scenario in each profile in which it holds. */
export const trips: readonly (readonly [file: string, profile: string])[] = scenarioNames.flatMap((name) => {
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

/**
 * Fails unless a recording, redacted or not, becomes a scenario in which nothing but the scenario's faults is planned; with
 * several participants, a scenario for each.
 */
export async function expectInferred(file: string, profile: string): Promise<void> {
  const recording = await recordingOf(scenarioOf(file), profile);
  for (const exchanges of [recording, recording.map(createRedactor().redact)])
    for (const [world, own] of Map.groupBy(exchanges, participantOf)) {
      const result = await inferred(own, { world });
      expect([result.planned, result.unresolved]).toEqual([faults[file] ?? [], []]);
      await expectPlayed(result, own);
    }
}

/** The participant of the stub that a request is for. */
export function participantOf({ request }: Exchange): string {
  return headerValues(request.headers, "understudy-world")[0] ?? "default";
}
