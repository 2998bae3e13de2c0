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

/** Recorded responses that the stub does not compute from what responses show, by scenario, each with the reason. */
const plannedByScenario: Readonly<Record<string, readonly string[]>> = {
  // The refusal shows that a second synchronizer was connected; no response shows the synchronizer.
  "autodetect-synchronizer": ["step 1 (POST /v2/package-vetting)"],
  // A fault of the scenario's own plan, and a transaction in a form of its own, which no protobuf decoder reads.
  "commit-then-timeout": [
    "step 1 (POST /v2/interactive-submission/executeAndWait)",
    "step 2 (POST /v2/interactive-submission/executeAndWait)",
  ],
  // Transactions in a form of their own.
  "execute-and-wait": [
    "step 1 (POST /v2/interactive-submission/executeAndWait)",
    "step 3 (POST /v2/interactive-submission/executeAndWait)",
    "step 4 (POST /v2/interactive-submission/executeAndWait)",
  ],
  // Transactions in a form of their own. One of them pre-approves the receiver of another one.
  "onboarding-to-transfer": [
    "step 3 (POST /v2/interactive-submission/executeAndWait)",
    "step 4 (POST /v2/interactive-submission/executeAndWait)",
    "step 5 (POST /registry/transfer-instruction/v2/transfer-factory)",
    "step 6 (POST /v2/interactive-submission/executeAndWait)",
  ],
  // No response says that a contract is reassigned: a lookup is refused, and a later one shows another synchronizer.
  "reassignment-by-calls": [
    "step 2 (POST /registry/transfer-instruction/v2/transfer-factory)",
    "step 3 (POST /registry/transfer-instruction/v2/transfer-factory)",
    "step 4 (POST /registry/transfer-instruction/v2/transfer-factory)",
  ],
  "reassignment-by-steps": [
    "step 2 (POST /registry/transfer-instruction/v2/transfer-factory)",
    "step 3 (POST /registry/transfer-instruction/v2/transfer-factory)",
  ],
  "reassignment-by-time": [
    "step 3 (POST /registry/transfer-instruction/v2/transfer-factory)",
    "step 5 (POST /registry/transfer-instruction/v2/transfer-factory)",
  ],
  // A participant alone does not show when the other one authorizes a party.
  "two-participants": [
    "step 7 (GET /v2/parties/{party})",
    "step 8 (POST /v2/interactive-submission/prepare)",
    "step 3 (POST /v2/parties/external/allocate)",
    "step 4 (GET /v2/parties/{party})",
  ],
  // Only the refusals show the dependencies of the packages.
  "vetting-dependencies": ["step 1 (POST /v2/package-vetting)", "step 2 (POST /v2/package-vetting)"],
};

/** Fails unless the planned responses of the imported worlds of a scenario are the listed ones, by the sentences of `import`. */
export function expectPlanned(name: string, sentences: readonly string[]): void {
  expect(sentences.map((sentence) => sentence.split(": ")[0])).toEqual(plannedByScenario[name] ?? []);
}

/**
 * Fails unless a recording, redacted or not, becomes a scenario in which the stub computes all responses but the listed ones;
 * with several participants, a scenario for each.
 */
export async function expectInferred(file: string, profile: string): Promise<void> {
  const recording = await recordingOf(scenarioOf(file), profile);
  for (const exchanges of [recording, recording.map(createRedactor().redact)]) {
    const planned: string[] = [];
    for (const [world, own] of Map.groupBy(exchanges.filter(isPlayed), participantOf)) {
      const result = await inferred(own, { world });
      expect([result.unresolved, result.computed + result.planned.length]).toEqual([[], own.length]);
      planned.push(...result.planned);
      await expectPlayed(result, own);
    }
    expectPlanned(file.replace(".arazzo.yaml", ""), planned);
  }
}

/** Whether an exchange becomes a step: lookups show the effect of a request for a reassignment. */
export function isPlayed({ request }: Exchange): boolean {
  return !request.target.includes("/reassignments/");
}

/** The participant of the stub that a request is for. */
export function participantOf({ request }: Exchange): string {
  return headerValues(request.headers, "understudy-world")[0] ?? "default";
}
