import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import type { FileReader } from "../files/file-reader.ts";
import { loadScenario, type Scenario } from "../files/load-scenario.ts";
import { fixtureText, type ScenarioPaths, scenarioText } from "./documents.ts";
import { NotPlayable } from "./not-playable.ts";
import type { InferredInitialState } from "./observations.ts";
import type { DraftStep } from "./steps.ts";

export interface ScenarioFiles {
  readonly scenario: string;
  readonly ledger: string;
  readonly registry: string;
}

const scenarioName = " the scenario ";

/** Paths of files that exist only in memory. */
const nowhere: ScenarioPaths = {
  given: { ledger: "ledger", registry: "registry" },
  sources: { ledger: "ledger", registry: "registry", additionalOperations: "additionalOperations", control: "control" },
};

/** An initial state as a scenario without steps. Reads and writes no files. */
export function worldOf(
  initialState: InferredInitialState,
  { name, ...more }: { readonly profile: string; readonly name: string; readonly plan: readonly JsonObject[] },
): Scenario {
  const parts = { ...more, name, description: "", startMs: initialState.startMs, steps: [] };
  return loaded(
    { scenario: scenarioText(parts, nowhere), ...fixtureTexts(initialState, `before ${name} was recorded`) },
    nowhere.given,
  );
}

export function fixtureTexts(
  { ledger, registry }: InferredInitialState,
  moment: string,
): { readonly ledger: string; readonly registry: string } {
  return { ledger: fixtureText("ledger", ledger, moment), registry: fixtureText("registry", registry, moment) };
}

/** Loads generated texts. Throws NotPlayable if they are not a valid scenario. */
export function loaded(
  { scenario, ledger, registry }: ScenarioFiles,
  given: { readonly ledger: string; readonly registry: string },
): Scenario {
  const texts = new Map([
    [scenarioName, scenario],
    [given.ledger, ledger],
    [given.registry, registry],
  ]);
  const reader: FileReader = { read: (path) => texts.get(path), resolve: (_from, path) => path };
  const result = loadScenario(scenarioName, reader);
  if (result.type === "loaded") return result.scenario;
  throw new NotPlayable(result.problems.map(({ problem }) => `${shortened(problem)}.`).join(" "));
}

/** The steps of the scenario file, with outputs and success criteria. */
export function assembled(
  steps: readonly DraftStep[],
  criteria: (place: number) => readonly JsonObject[],
): readonly JsonObject[] {
  return steps.map(({ call, stepId, json, outputs }, place) => {
    const found = criteria(place);
    const { response } = call.exchange;
    const broken = response.type === "broken" ? playedKinds[response.kind] : undefined;
    return {
      stepId,
      ...json,
      ...(broken === undefined ? {} : { "x-broken": broken }),
      ...(found.length === 0 ? {} : { successCriteria: [...found] }),
      ...(outputs.size === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
    };
  });
}

/** How a stub plays a failed response. One without an explanation is not played. */
const playedKinds: Readonly<Record<FailedResponse["kind"], string | undefined>> = {
  reset: "reset",
  truncated: "truncated",
  "timed-out": "timed-out",
  "too-large": "reset",
  unexplained: undefined,
};
