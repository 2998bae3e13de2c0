import type { Handler } from "../../foundation/http/handler.ts";
import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, jsonOf } from "../../foundation/json/json.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { providedStates, stepIdsOf } from "../../scenarios/files/provider-states.ts";
import { runScenario } from "../../scenarios/files/run-scenario.ts";
import { asLoopback, loopbackAccess, refusalOf } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import { hostScenario } from "../library/host-scenario.ts";

export const providerStatesPath = "/__understudy/provider-states";

const whereListed = `GET ${providerStatesPath} lists all.`;

/** Parameter of a provider state: the id of the last step to run. */
export const afterStepParam = "afterStep";

export interface ProvidedScenario {
  readonly scenario: Scenario;
  readonly profile: ProfileNames;
}

/** Sets up or tears down a provider state on a real node. Resolves to the reason if that failed, else to undefined. */
export type ProviderStateHook = (change: ProviderStateChange) => Promise<string | undefined>;

interface ProviderStateChange {
  readonly state: string;
  readonly action: "setup" | "teardown";
  readonly params: JsonObject;
}

/** A requested change of the provider state, and its result. */
export interface ProviderStateEvent extends ProviderStateChange {
  readonly isDone: boolean;
  /** Provider of the state: the id of a scenario's workflow, or `hook`. */
  readonly by: string | undefined;
  readonly afterStep: string | undefined;
  readonly problem: string | undefined;
  /**
   * The provider state whose unused world this one replaced. It shows that an interaction needs two provider states; only the
   * last one has an effect.
   */
  readonly replaced: string | undefined;
}

export interface ProviderStateOptions {
  readonly scenarios: readonly ProvidedScenario[];
  /** Hooks by the name of the provider state; they take precedence over scenarios. */
  readonly hooks: ReadonlyMap<string, ProviderStateHook>;
  /** URL of the provider, if it is not the stub of this server. */
  readonly providerUrl: string | undefined;
  readonly wallNowMs: () => number;
  /** A clock that is never set, for durations; `wallNowMs` if omitted. */
  readonly steadyNowMs?: () => number;
  readonly onChange: (event: ProviderStateEvent) => void;
}

interface ScenarioState extends ProvidedScenario {
  readonly name: string;
  readonly afterStep: string | undefined;
}

type ChangeDone = {
  readonly by: string;
  readonly afterStep: string | undefined;
  readonly values: JsonObject;
  readonly replaced?: string | undefined;
};
type ChangeFailed = { readonly status: number; readonly problem: string };

/** A stub whose world is set by the state-change requests of Pact's verifier. */
export class ProviderStateServer {
  readonly handler: Handler;
  readonly #options: ProviderStateOptions;
  readonly #provided: readonly ScenarioState[];
  #stub: Handler | undefined;
  /** Provider state of the stub's world, until its first request or its teardown. */
  #unusedState: string | undefined;
  /** Last change: changes run one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ProviderStateOptions) {
    this.#options = options;
    this.#provided = options.scenarios.flatMap((provided) =>
      providedStates(provided.scenario.main.value).map((state) => ({ ...provided, ...state })),
    );
    const [first] = options.scenarios;
    if (first !== undefined && options.providerUrl === undefined) this.#stub = this.#freshStub(first);
    this.handler = (request) => this.#handle(request);
  }

  /** Names of all provider states. */
  get names(): readonly string[] {
    const provided = this.#options.providerUrl === undefined ? this.#provided.map(({ name }) => name) : [];
    return [...new Set([...this.#options.hooks.keys(), ...provided])];
  }

  async #handle(request: Request): Promise<Awaited<ReturnType<Handler>>> {
    if (request.target.split("?")[0] !== providerStatesPath) return this.#response(request);
    if (refusalOf(request, loopbackAccess) !== undefined)
      return refused({
        status: 403,
        problem: "Provider states can be changed from this machine only, and not from a page of another site.",
      });
    if (request.method === "GET") return jsonValueResponse(200, { providerStates: [...this.names] });
    if (request.method !== "POST") return refused({ status: 405, problem: "Use POST to set a provider state." });
    const change = this.#last.then(() => this.#change(request));
    this.#last = change.catch(() => undefined);
    return change;
  }

  async #response(request: Request): Promise<Awaited<ReturnType<Handler>>> {
    this.#unusedState = undefined;
    if (this.#stub !== undefined) return this.#stub(request);
    const problem = `This server only sets provider states. The provider is at ${this.#options.providerUrl}.`;
    return refused({ status: 404, problem });
  }

  async #change(request: Request): Promise<Response> {
    const changes = changesIn(jsonOf(request.body.text()));
    if (changes === undefined)
      return refused({
        status: 400,
        problem:
          'Invalid state change. Send { "state": "…", "action": "setup", "params": {} }; the action is setup or teardown.',
      });
    let values: JsonObject = {};
    for (const change of changes) {
      const result = await this.#perform(change);
      const isDone = "values" in result;
      this.#options.onChange({
        ...change,
        isDone,
        by: isDone ? result.by : undefined,
        afterStep: isDone ? result.afterStep : undefined,
        problem: isDone ? undefined : result.problem,
        replaced: isDone ? result.replaced : undefined,
      });
      if (!isDone) return refused(result, this.names);
      values = { ...values, ...result.values };
    }
    return jsonValueResponse(200, values);
  }

  async #perform(change: ProviderStateChange): Promise<ChangeDone | ChangeFailed> {
    const hook = this.#options.hooks.get(change.state);
    if (hook !== undefined) return runHook(hook, change);
    // For interactions without provider state, the verifier requests the empty name.
    const isNameless = change.state === "";
    if (this.#options.providerUrl !== undefined)
      return isNameless ? { by: "", afterStep: undefined, values: {} } : withoutHook(change.state, this.names);
    const found = isNameless ? this.#provided[0] : this.#provided.find(({ name }) => name === change.state);
    if (found === undefined)
      return {
        status: 404,
        problem: `Unknown provider state ${JSON.stringify(change.state)}. ${advise(change.state, this.names, whereListed)}`,
      };
    const state = isNameless ? { ...found, afterStep: undefined } : found;
    return change.action === "teardown" ? this.#reset(state) : this.#setUp(state, change.params);
  }

  #reset(state: ScenarioState): ChangeDone {
    this.#stub = this.#freshStub(state);
    this.#unusedState = undefined;
    return { by: state.scenario.main.id, afterStep: undefined, values: {} };
  }

  /** Runs the steps in a new world, and replaces the current world only if they pass. */
  async #setUp(state: ScenarioState, params: JsonObject): Promise<ChangeDone | ChangeFailed> {
    const named = params[afterStepParam] ?? state.afterStep;
    const afterStep = named === undefined || typeof named === "string" ? named : formatJson(named);
    const steps = stepIdsOf(state.scenario.main.value);
    if (afterStep !== undefined && !steps.includes(afterStep)) {
      const problem = `${state.scenario.file} has no step ${JSON.stringify(afterStep)}. ${advise(afterStep, steps, "The scenario lists all.")}`;
      return { status: 404, problem };
    }
    const stub = this.#freshStub(state);
    const { wallNowMs, steadyNowMs: nowMs = wallNowMs } = this.#options;
    const result = await runSteps(state.scenario, { handler: stub, nowMs, afterStep });
    if (result.type === "failed") return { status: 500, problem: result.problem };
    const replaced = this.#unusedState === state.name ? undefined : this.#unusedState;
    this.#stub = stub;
    this.#unusedState = state.name;
    return { by: state.scenario.main.id, afterStep, values: result.outputs, replaced };
  }

  #freshStub({ scenario, profile }: ProvidedScenario): Handler {
    const { wallNowMs, steadyNowMs = wallNowMs } = this.#options;
    return withControl(hostScenario(scenario, { profile, wallNowMs, steadyNowMs }), loopbackAccess);
  }
}

async function runHook(hook: ProviderStateHook, change: ProviderStateChange): Promise<ChangeDone | ChangeFailed> {
  const reason = await hook(change);
  if (reason === undefined) return { by: "hook", afterStep: undefined, values: {} };
  return { status: 500, problem: `The hook of ${JSON.stringify(change.state)} failed: ${reason}.` };
}

function withoutHook(name: string, known: readonly string[]): ChangeFailed {
  const problem = `No hook for the provider state ${JSON.stringify(name)}. ${advise(name, known, whereListed)}`;
  return { status: 404, problem: `${problem} Add one with --hook "${name}=COMMAND".` };
}

/** The changes in a verifier's request: one `state`, or in version 2 several `states`. Undefined for an invalid request. */
function changesIn(body: Json | undefined): readonly ProviderStateChange[] | undefined {
  if (!isJsonObject(body)) return undefined;
  const action = body["action"] ?? "setup";
  if (action !== "setup" && action !== "teardown") return undefined;
  const params = isJsonObject(body["params"]) ? body["params"] : {};
  const { state, states } = body;
  if (typeof state === "string" || (state ?? null) === null) {
    const several = Array.isArray(states) ? states.filter((name) => typeof name === "string") : [];
    if (typeof state === "string") return [{ state, action, params }];
    if (several.length > 0) return several.map((name) => ({ state: name, action, params }));
    return "state" in body || "states" in body || "action" in body ? [{ state: "", action, params }] : undefined;
  }
  return undefined;
}

function refused({ status, problem }: ChangeFailed, known?: readonly string[]): Response {
  return jsonValueResponse(status, { error: problem, ...(known === undefined ? {} : { known: [...known] }) });
}

/** Result of a run of steps: their outputs by name, or the problem of the failed step. */
type StepsResult =
  | { readonly type: "passed"; readonly outputs: JsonObject }
  | { readonly type: "failed"; readonly problem: string };

/** Runs the steps of a scenario up to and including `afterStep`; none if it is undefined. Of equal output names, the latest counts. */
async function runSteps(
  scenario: Scenario,
  target: { readonly handler: Handler; readonly nowMs: () => number; readonly afterStep: string | undefined },
): Promise<StepsResult> {
  const { handler, nowMs, afterStep } = target;
  if (afterStep === undefined) return { type: "passed", outputs: {} };
  const results = await runScenario(scenario, {
    handler: asLoopback(handler),
    hasControl: true,
    nowMs,
    until: afterStep,
  });
  const failed = results.find(({ outcome }) => outcome !== "passed" && outcome !== "handled");
  if (failed !== undefined)
    return { type: "failed", problem: `The step ${failed.stepId} of ${scenario.file} failed: ${failed.reason}.` };
  return { type: "passed", outputs: Object.assign({}, ...results.map(({ outputs }) => outputs)) };
}
