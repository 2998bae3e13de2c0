import type { Exchange } from "../../foundation/http/exchange.ts";
import { formatJson, type JsonObject } from "../../foundation/json/json.ts";
import { runScenario } from "../files/run-scenario.ts";
import { criteriaOf } from "./criteria.ts";
import { type ScenarioPaths, scenarioText } from "./documents.ts";
import { assembled, fixtureTexts, loaded, type ScenarioFiles, worldOf } from "./draft.ts";
import { type InferredInitialState, Observations } from "./observations.ts";
import { type CreateStub, type Disagreement, type PlannedDifferences, planDifferences } from "./plan-differences.ts";
import { responseSummary } from "./planned-response.ts";
import { readWorld, type WorldReading } from "./read-world.ts";
import { playedAs, type RecordedCall } from "./recorded-call.ts";
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
  /** Recorded responses that the stub computes from the initial state and the requests. */
  readonly computed: number;
  /** Recorded responses that the plan gives, because the stub computes others: a sentence for each. */
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

/**
 * Turns one world of a recording into a scenario. It starts from the state that responses show directly; the recorded
 * responses that the stub does not compute from it are planned.
 */
export async function inferScenario(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  options: InferenceOptions,
): Promise<InferredScenario> {
  const { collected, unsupported, world, otherWorlds } = await readRecording(exchanges, options);
  const { observations, calls, count, withoutResponse } = collected;
  const { name, origin, paths, createStub } = options;
  const steps = stepsOf(calls);
  const profiles = options.profile === undefined ? observations.profiles : [options.profile];
  const { profile, initialState, found } = await likeliestProfile(profiles, observations, steps, options);
  const { startMs, notExpressible } = initialState;
  const files = {
    scenario: scenarioText(
      {
        ...{ name, description: `Inferred from ${origin}.`, profile, startMs },
        plan: found.responses,
        steps: assembled(steps, criteriaThatHold(steps, found.played)),
      },
      paths,
    ),
    ...fixtureTexts(initialState, `before ${origin} was recorded`),
  };
  const lineOf = (disagreement: Disagreement) => disagreementLine(disagreement, steps);
  return {
    ...{ files, profile, calls: count, steps: steps.length, withoutResponse },
    ...{ world, otherWorlds, unsupported, notExpressible },
    computed: Math.max(0, steps.length - withoutResponse - found.planned.length - found.unresolved.length),
    planned: found.planned.map(lineOf),
    unresolved:
      found.unresolved.length > 0 ? found.unresolved.map(lineOf) : await failingSteps(files, paths, createStub),
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
  /** The calls; empty if they are more than the steps of a scenario. */
  calls: RecordedCall[] = [];
  count = 0;
  withoutResponse = 0;
  readonly #stepsMax: number;

  constructor(stepsMax: number) {
    this.#stepsMax = stepsMax;
  }

  note(call: RecordedCall): void {
    const { response } = call.exchange;
    this.observations.note(call);
    this.count += 1;
    if (response.type === "broken" && response.kind === "unexplained") this.withoutResponse += 1;
    if (this.count <= this.#stepsMax) this.calls.push(call);
    else this.calls = [];
  }
}

interface Chosen {
  readonly profile: string;
  readonly initialState: InferredInitialState;
  readonly found: PlannedDifferences;
}

/** The profile in which the stub computes the most recorded responses; the first if several are equal. */
async function likeliestProfile(
  profiles: readonly string[],
  observations: Observations,
  steps: readonly DraftStep[],
  { name, createStub }: InferenceOptions,
): Promise<Chosen> {
  const differences = ({ found: { planned, unresolved } }: Chosen) => planned.length + unresolved.length;
  let chosen: Chosen | undefined;
  for (const profile of profiles) {
    const initialState = observations.initialState(profile);
    const scenarioWith = (plan: readonly JsonObject[]) => worldOf(initialState, { profile, name, plan });
    const found = await planDifferences(scenarioWith, steps, createStub);
    const next = { profile, initialState, found };
    if (chosen === undefined || differences(next) < differences(chosen)) chosen = next;
    if (differences(chosen) === 0) break;
  }
  if (chosen === undefined) throw new Error("invariant: there is a profile to try");
  return chosen;
}

/** The criteria that hold for both the recorded response and the stub's: the order of some members differs between them. */
function criteriaThatHold(
  steps: readonly DraftStep[],
  played: ReadonlyMap<number, Exchange>,
): (place: number) => readonly JsonObject[] {
  return (place) => {
    const [step, exchange] = [steps[place], played.get(place)];
    if (step === undefined) return [];
    const wanted = criteriaOf(step.call);
    if (exchange === undefined) return wanted;
    const kept = new Set(criteriaOf(playedAs(step.call, exchange)).map((criterion) => formatJson(criterion)));
    return wanted.filter((criterion, index) => index === 0 || kept.has(formatJson(criterion)));
  };
}

/** Plays the written scenario as `run` does. Returns a sentence for each step that fails. */
async function failingSteps(
  files: ScenarioFiles,
  { given }: ScenarioPaths,
  createStub: CreateStub,
): Promise<readonly string[]> {
  const scenario = loaded(files, given);
  const results = await runScenario(scenario, { handler: createStub(scenario), hasControl: true, nowMs: () => 0 });
  return results
    .filter(({ outcome }) => outcome !== "passed")
    .map(({ stepId, reason }) => `the step ${stepId} fails: ${reason ?? ""}`);
}

/** A sentence with the step, its recorded response and the stub's. */
function disagreementLine(disagreement: Disagreement, steps: readonly DraftStep[]): string {
  const call = steps[disagreement.place]?.call;
  if (call === undefined) throw new Error("invariant: a disagreement is about a step");
  const { method, path } = call.operation;
  return `step ${disagreement.place + 1} (${method} ${path}): ${disagreementText(disagreement, call)}`;
}

/** The recorded response to a call and the stub's, as a clause. */
export function disagreementText({ received, difference }: Disagreement, call: RecordedCall): string {
  const gives = responseSummary(playedAs(call, { ...call.exchange, response: received }));
  const recorded = responseSummary(call);
  const where =
    gives === recorded ? ` with a different ${difference.aspect} at ${difference.pointer || "the root"}` : "";
  return `the recorded response is ${recorded}, the stub's response is ${gives}${where}`;
}
