import type { Exchange } from "../../foundation/http/exchange.ts";
import { formatJson, type JsonObject } from "../../foundation/json/json.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { runScenario } from "../files/run-scenario.ts";
import { type Call, createCallReader, playedAs } from "./call.ts";
import { criteriaOf } from "./criteria.ts";
import { type ScenarioPlaces, scenarioText } from "./documents.ts";
import {
  assembled,
  type Findings,
  fixtureTexts,
  loaded,
  planRemarks,
  recordedOf,
  type ScenarioFiles,
  withResponses,
  worldOf,
} from "./draft.ts";
import { type InferredBeginning, Observations } from "./observations.ts";
import { shownResponse } from "./planned-responses.ts";
import { inOrder, refine } from "./refine.ts";
import { type CreateStub, type Disagreement, rehearse } from "./rehearse.ts";
import { type DraftStep, stepsOf } from "./steps.ts";

export interface InferenceOptions {
  /** What the scenario is called, and what it was inferred from. */
  readonly name: string;
  readonly origin: string;
  readonly places: ScenarioPlaces;
  /** Exchanges that become steps; of a recording with more only the fixtures are inferred. */
  readonly stepsMax: number;
  /** The release of the ledger; found out when undefined. */
  readonly profile: string | undefined;
  readonly createStub: CreateStub;
}

export interface InferredScenario {
  readonly files: ScenarioFiles;
  readonly profile: string;
  /** Exchanges of described operations; where they are more than steps, there are no steps. */
  readonly calls: number;
  readonly steps: number;
  /** What other requests asked for, and how often. */
  readonly outside: ReadonlyMap<string, number>;
  /** What no fixture can say. */
  readonly leftOut: readonly string[];
  /** Recorded responses that the plan gives, since the world does not: a sentence for each. */
  readonly planned: readonly string[];
  /** Recorded responses that the scenario does not give. */
  readonly unresolved: readonly string[];
}

interface Read {
  readonly observations: Observations;
  readonly calls: readonly Call[];
  readonly count: number;
  readonly outside: ReadonlyMap<string, number>;
}

const outsideMax = 1000;

/** Turns a recording into a scenario that plays it, and lets a stub play it to see that it does. */
export async function inferScenario(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  options: InferenceOptions,
): Promise<InferredScenario> {
  const { observations, calls, count, outside } = await read(exchanges, options.stepsMax);
  const profiles = options.profile === undefined ? observations.profiles : [options.profile];
  const steps = stepsOf(calls);
  const { profile, beginning, scenario } = await likeliest(profiles, observations, steps, options);
  const { findings, planned, unresolved } = await refine(scenario, steps, beginning.passages, options.createStub);
  const criteria = await criteriaThatHold(scenario, steps, findings, options.createStub);
  const written = assembled(steps, findings.passages, criteria);
  const responses = inOrder(findings.responses);
  const { name, origin, places } = options;
  const parts = { name, origin, profile, startMs: beginning.startMs, plan: [...beginning.plan, ...responses] };
  const remarks = planRemarks(beginning.plan.length, responses.length);
  const files = {
    scenario: scenarioText({ ...parts, steps: written, remarks }, places),
    ...fixtureTexts(beginning, origin),
  };
  const again = await verified(loaded(files, places.given), steps, options.createStub);
  return {
    files,
    profile,
    calls: count,
    steps: steps.length,
    outside,
    leftOut: beginning.leftOut,
    planned: planned.map((disagreement) => explained(disagreement, steps)),
    unresolved: [...unresolved.map((disagreement) => explained(disagreement, steps)), ...again].filter(isNew),
  };
}

function isNew(text: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(text) === index;
}

async function read(exchanges: AsyncIterable<Exchange> | Iterable<Exchange>, stepsMax: number): Promise<Read> {
  const readCall = createCallReader();
  const observations = new Observations();
  const outside = new Map<string, number>();
  let calls: Call[] = [];
  let count = 0;
  for await (const exchange of exchanges) {
    const call = readCall(exchange);
    if (call === undefined) {
      const what = `${exchange.request.method} ${exchange.request.target.replace(/\?.*$/s, "")}`;
      if (outside.has(what) || outside.size < outsideMax) outside.set(what, (outside.get(what) ?? 0) + 1);
      continue;
    }
    observations.note(call);
    count += 1;
    if (count <= stepsMax) calls.push(call);
    else calls = [];
  }
  return { observations, calls, count, outside };
}

interface Chosen {
  readonly profile: string;
  readonly beginning: InferredBeginning;
  readonly scenario: Scenario;
}

/** The profile in which the world gives the most of the recorded responses; the first of several. */
async function likeliest(
  profiles: readonly string[],
  observations: Observations,
  steps: readonly DraftStep[],
  { name, createStub }: InferenceOptions,
): Promise<Chosen> {
  let found: (Chosen & { readonly count: number }) | undefined;
  for (const profile of profiles) {
    const beginning = observations.beginning(profile);
    const scenario = worldOf(beginning, profile, name);
    const written = assembled(steps, beginning.passages, () => []);
    const { disagreements } = await rehearse(scenario, written, recordedOf(steps), createStub);
    const count = disagreements.length;
    if (found === undefined || count < found.count) found = { profile, beginning, scenario, count };
    if (count === 0) break;
  }
  if (found === undefined) throw new Error("invariant: there is a profile to try");
  return found;
}

/** What both the recorded response and the stub's fulfil: where members have no order, each side has its own. */
async function criteriaThatHold(
  scenario: Scenario,
  steps: readonly DraftStep[],
  { responses, passages }: Findings,
  createStub: CreateStub,
): Promise<(place: number) => readonly JsonObject[]> {
  const written = assembled(steps, passages, () => []);
  const { played } = await rehearse(withResponses(scenario, responses, steps), written, recordedOf(steps), createStub);
  return (place) => {
    const [step, exchange] = [steps[place], played.get(place)];
    if (step === undefined) return [];
    const wanted = criteriaOf(step.call);
    if (exchange === undefined) return wanted;
    const kept = new Set(criteriaOf(playedAs(step.call, exchange)).map((criterion) => formatJson(criterion)));
    const { response } = step.call.exchange;
    if (response.type === "broken") return [];
    return wanted.filter((criterion, index) => index === 0 || kept.has(formatJson(criterion)));
  };
}

/** Plays the written scenario as `run` does, and once more to compare all responses. Returns a sentence for each failure. */
async function verified(
  scenario: Scenario,
  steps: readonly DraftStep[],
  createStub: CreateStub,
): Promise<readonly string[]> {
  const workflowSteps = scenario.workflow["steps"];
  const written = Array.isArray(workflowSteps) ? workflowSteps : [];
  const { disagreements } = await rehearse(scenario, written, recordedOf(steps), createStub);
  if (disagreements.length > 0) return disagreements.map((disagreement) => explained(disagreement, steps));
  const results = await runScenario(scenario, { handler: createStub(scenario), hasControl: true, nowMs: () => 0 });
  return results
    .filter(({ outcome }) => outcome !== "passed")
    .map(({ stepId, reason }) => `the step ${stepId} fails: ${reason ?? ""}`);
}

/** Which step it is, what the recording has and what the world gives. */
function explained({ place, came, difference }: Disagreement, steps: readonly DraftStep[]): string {
  const call = steps[place]?.call;
  if (call === undefined) throw new Error("invariant: a disagreement is about a step");
  const { method, path } = call.operation;
  const gives = shownResponse(playedAs(call, { ...call.exchange, response: came }));
  const recorded = shownResponse(call);
  const where =
    gives === recorded ? ` with a different ${difference.aspect} at ${difference.pointer || "its beginning"}` : "";
  return `step ${place + 1} (${method} ${path}): the recorded response is ${recorded}, the stub's response is ${gives}${where}`;
}
