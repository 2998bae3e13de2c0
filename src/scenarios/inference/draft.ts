import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { compileResponse } from "../files/compile-response.ts";
import type { FileReader } from "../files/file-reader.ts";
import { loadScenario, type Scenario } from "../files/load-scenario.ts";
import { fixtureText, type ScenarioPaths, scenarioText } from "./documents.ts";
import { NotPlayable } from "./not-playable.ts";
import type { InferredInitialState, Remark } from "./observations.ts";
import type { Recorded } from "./rehearse.ts";
import type { DraftStep } from "./steps.ts";

/** Additions that make the stub give the recorded responses: planned responses, and advances of the clock. */
export interface Adjustments {
  readonly responses: readonly JsonObject[];
  /** Milliseconds to advance before a call, by place of the call. */
  readonly clockAdvances: ReadonlyMap<number, number>;
}

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

/** An initial state as a scenario without steps. Its plan holds the changes that no request caused. Reads and writes no files. */
export function worldOf(initialState: InferredInitialState, profile: string, name: string): Scenario {
  const parts = {
    name,
    origin: name,
    profile,
    startMs: initialState.startMs,
    plan: initialState.plan,
    steps: [],
    remarks: [],
  };
  return loaded({ scenario: scenarioText(parts, nowhere), ...fixtureTexts(initialState, name) }, nowhere.given);
}

export function fixtureTexts(
  { ledger, registry }: InferredInitialState,
  origin: string,
): { readonly ledger: string; readonly registry: string } {
  return { ledger: fixtureText("ledger", ledger, origin), registry: fixtureText("registry", registry, origin) };
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

/** The scenario with these responses in its plan, compiled directly. */
export function withResponses(
  scenario: Scenario,
  responses: readonly JsonObject[],
  steps: readonly DraftStep[],
): Scenario {
  const apis = new Map(steps.map(({ call }) => [call.operation.operationId, call.operation.api] as const));
  const events = responses.flatMap((entry) => {
    const api = apis.get(String(entry["on"]));
    const compiled = compileResponse(entry, api === "registry" ? "registry" : "ledger");
    return compiled.type === "compiled" ? [compiled.event] : [];
  });
  const { plan } = scenario.initial;
  return { ...scenario, initial: { ...scenario.initial, plan: { ...plan, responses: events } } };
}

/** The steps of the scenario file: with outputs, success criteria, and advances of the clock between them. */
export function assembled(
  steps: readonly DraftStep[],
  clockAdvances: ReadonlyMap<number, number>,
  criteria: (place: number) => readonly JsonObject[],
): readonly JsonObject[] {
  let advances = 0;
  return steps.flatMap((step, place) => {
    const byMs = clockAdvances.get(place);
    if (byMs !== undefined) advances += 1;
    const found = criteria(place);
    const { response } = step.call.exchange;
    const broken = response.type === "broken" ? playedKinds[response.kind] : undefined;
    const json: JsonObject = {
      stepId: step.stepId,
      ...step.json,
      ...(broken === undefined ? {} : { "x-broken": broken }),
      ...(found.length === 0 ? {} : { successCriteria: [...found] }),
      ...(step.outputs.size === 0 ? {} : { outputs: Object.fromEntries(step.outputs) }),
    };
    return byMs === undefined ? [json] : [advanceStep(advances, byMs), json];
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

function advanceStep(number: number, byMs: number): JsonObject {
  return {
    stepId: `time-passes-${number}`,
    description: "The next response depends on elapsed time.",
    operationId: "$sourceDescriptions.control.advanceClock",
    parameters: [{ name: "world", in: "path", value: "default" }],
    requestBody: { contentType: "application/json", payload: { by: `PT${byMs / 1000}S` } },
    successCriteria: [{ condition: "$statusCode == 200" }],
  };
}

export function recordedOf(steps: readonly DraftStep[]): Recorded {
  return new Map(steps.map(({ stepId, call }, place) => [stepId, { place, call }]));
}

/** The remark on the planned responses, which follow the changes in the plan. */
export function planRemarks(changes: number, responses: number): readonly Remark[] {
  const text = "Not inferred: these are the recorded responses.";
  return responses === 0 ? [] : [{ path: ["plan", changes], text }];
}
