import type { Exchange } from "../../foundation/http/exchange.ts";
import { formatJson, type JsonObject } from "../../foundation/json/json.ts";
import type { Scenario } from "../files/load-scenario.ts";
import { runScenario } from "../files/run-scenario.ts";
import { type Call, playedAs } from "./call.ts";
import { criteriaOf } from "./criteria.ts";
import { type ScenarioPaths, scenarioText } from "./documents.ts";
import {
  type Adjustments,
  assembled,
  fixtureTexts,
  loaded,
  planRemarks,
  recordedOf,
  type ScenarioFiles,
  withResponses,
  worldOf,
} from "./draft.ts";
import { type InferredInitialState, Observations } from "./observations.ts";
import { responseSummary } from "./planned-responses.ts";
import { readWorld, type WorldReading } from "./read-world.ts";
import { inOrder, refine } from "./refine.ts";
import { type CreateStub, type Disagreement, rehearse } from "./rehearse.ts";
import { type DraftStep, stepsOf } from "./steps.ts";

export interface InferenceOptions {
  /** The name of the scenario, and of the recording. */
  readonly name: string;
  readonly origin: string;
  readonly paths: ScenarioPaths;
  /** The most exchanges that become steps. From a longer recording only the fixtures are inferred. */
  readonly stepsMax: number;
  /** The release of the ledger; inferred if undefined. */
  readonly profile: string | undefined;
  /** The world to read; undefined for the default world, or the first other one if the default world has no traffic. */
  readonly world?: string | undefined;
  readonly createStub: CreateStub;
}

export interface InferredScenario {
  readonly files: ScenarioFiles;
  readonly profile: string;
  /** Exchanges with known operations. If they are more than `stepsMax`, there are no steps. */
  readonly calls: number;
  readonly steps: number;
  /** Calls without a complete response in the recording; the scenario's responses are not compared with theirs. */
  readonly withoutResponse: number;
  /** The world whose exchanges are read. */
  readonly world: string;
  /** The numbers of calls in other worlds, which are skipped, by world. */
  readonly otherWorlds: ReadonlyMap<string, number>;
  /** Requests outside the spec, each as method and target with its count. */
  readonly unsupported: ReadonlyMap<string, number>;
  /** Parts of the recording that a fixture cannot express. */
  readonly notExpressible: readonly string[];
  /** Recorded responses that the plan gives, because the world does not: a sentence for each. */
  readonly planned: readonly string[];
  /** Recorded responses that the scenario does not give: a sentence for each. */
  readonly unresolved: readonly string[];
}

interface RecordingReading extends Omit<WorldReading<CollectedCalls>, "value"> {
  readonly collected: CollectedCalls;
  readonly unsupported: ReadonlyMap<string, number>;
}

/** Requests outside the spec that are counted. */
const unsupportedMax = 1000;

/** Turns one world of a recording into a scenario, and plays it on a stub to verify its responses. */
export async function inferScenario(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  options: InferenceOptions,
): Promise<InferredScenario> {
  const { collected, world, otherWorlds, unsupported } = await readRecording(exchanges, options);
  const { observations, calls, count, withoutResponse } = collected;
  const profiles = options.profile === undefined ? observations.profiles : [options.profile];
  const steps = stepsOf(calls);
  const { profile, initialState, scenario } = await likeliestProfile(profiles, observations, steps, options);
  const { adjustments, planned, unresolved } = await refine(
    scenario,
    steps,
    initialState.clockAdvances,
    options.createStub,
  );
  const criteria = await criteriaThatHold(scenario, steps, adjustments, options.createStub);
  const written = assembled(steps, adjustments.clockAdvances, criteria);
  const responses = inOrder(adjustments.responses);
  const { name, origin, paths } = options;
  const parts = { name, origin, profile, startMs: initialState.startMs, plan: [...initialState.plan, ...responses] };
  const remarks = planRemarks(initialState.plan.length, responses.length);
  const files = {
    scenario: scenarioText({ ...parts, steps: written, remarks }, paths),
    ...fixtureTexts(initialState, origin),
  };
  const failures = await verified(loaded(files, paths.given), steps, options.createStub);
  return {
    files,
    profile,
    calls: count,
    steps: steps.length,
    withoutResponse,
    world,
    otherWorlds,
    unsupported,
    notExpressible: initialState.notExpressible,
    planned: planned.map((disagreement) => disagreementLine(disagreement, steps)),
    unresolved: [...new Set([...unresolved.map((disagreement) => disagreementLine(disagreement, steps)), ...failures])],
  };
}

async function readRecording(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  { stepsMax, world }: InferenceOptions,
): Promise<RecordingReading> {
  const unsupported = new Map<string, number>();
  const { value, ...reading } = await readWorld(exchanges, {
    world,
    create: () => new CollectedCalls(stepsMax),
    onUnknownOperation: ({ request }) => {
      const line = `${request.method} ${request.target.replace(/\?.*$/s, "")}`;
      if (unsupported.has(line) || unsupported.size < unsupportedMax)
        unsupported.set(line, (unsupported.get(line) ?? 0) + 1);
    },
  });
  return { ...reading, collected: value, unsupported };
}

/** The observations of the calls of a world, and the calls themselves unless they are too many. */
class CollectedCalls {
  readonly observations: Observations = new Observations();
  readonly #stepsMax: number;
  #calls: Call[] = [];
  #count = 0;
  #withoutResponse = 0;

  constructor(stepsMax: number) {
    this.#stepsMax = stepsMax;
  }

  /** The calls; empty if they are more than the steps of a scenario. */
  get calls(): readonly Call[] {
    return this.#calls;
  }

  get count(): number {
    return this.#count;
  }

  get withoutResponse(): number {
    return this.#withoutResponse;
  }

  note(call: Call): void {
    const { response } = call.exchange;
    this.observations.note(call);
    this.#count += 1;
    if (response.type === "broken" && response.kind === "unexplained") this.#withoutResponse += 1;
    if (this.#count <= this.#stepsMax) this.#calls.push(call);
    else this.#calls = [];
  }
}

interface Chosen {
  readonly profile: string;
  readonly initialState: InferredInitialState;
  readonly scenario: Scenario;
}

/** The profile in which the stub gives the most recorded responses; the first if several are equal. */
async function likeliestProfile(
  profiles: readonly string[],
  observations: Observations,
  steps: readonly DraftStep[],
  { name, createStub }: InferenceOptions,
): Promise<Chosen> {
  let found: (Chosen & { readonly count: number }) | undefined;
  for (const profile of profiles) {
    const initialState = observations.initialState(profile);
    const scenario = worldOf(initialState, profile, name);
    const written = assembled(steps, initialState.clockAdvances, () => []);
    const { disagreements } = await rehearse(scenario, written, recordedOf(steps), createStub);
    const count = disagreements.length;
    if (found === undefined || count < found.count) found = { profile, initialState, scenario, count };
    if (count === 0) break;
  }
  if (found === undefined) throw new Error("invariant: there is a profile to try");
  return found;
}

/** The criteria that hold for both the recorded response and the stub's: the order of some members differs between them. */
async function criteriaThatHold(
  scenario: Scenario,
  steps: readonly DraftStep[],
  { responses, clockAdvances }: Adjustments,
  createStub: CreateStub,
): Promise<(place: number) => readonly JsonObject[]> {
  const written = assembled(steps, clockAdvances, () => []);
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
  if (disagreements.length > 0) return disagreements.map((disagreement) => disagreementLine(disagreement, steps));
  const results = await runScenario(scenario, { handler: createStub(scenario), hasControl: true, nowMs: () => 0 });
  return results
    .filter(({ outcome }) => outcome !== "passed")
    .map(({ stepId, reason }) => `the step ${stepId} fails: ${reason ?? ""}`);
}

/** A sentence with the step, its recorded response and the stub's. */
function disagreementLine({ place, received, difference }: Disagreement, steps: readonly DraftStep[]): string {
  const call = steps[place]?.call;
  if (call === undefined) throw new Error("invariant: a disagreement is about a step");
  const { method, path } = call.operation;
  const gives = responseSummary(playedAs(call, { ...call.exchange, response: received }));
  const recorded = responseSummary(call);
  const where =
    gives === recorded ? ` with a different ${difference.aspect} at ${difference.pointer || "the root"}` : "";
  return `step ${place + 1} (${method} ${path}): the recorded response is ${recorded}, the stub's response is ${gives}${where}`;
}
