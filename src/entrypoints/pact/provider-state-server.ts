import type { Handler } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, jsonIn } from "../../foundation/json/json.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import type { Scenario } from "../../scenarios/files/load-scenario.ts";
import { providedStates, stepIdsOf } from "../../scenarios/files/provider-states.ts";
import { loopbackAccess, refusalOf } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import { hostScenario } from "../library/host-scenario.ts";
import { takeSteps } from "./take-steps.ts";

export const providerStatesPath = "/__understudy/provider-states";

/** The parameter of a provider state that names the last step which has been taken. */
export const afterStepParam = "afterStep";

export interface ProvidedScenario {
  readonly scenario: Scenario;
  readonly profile: ProfileNames;
}

/** Brings a real node into a provider state, or back; gives why that failed. */
export type ProviderStateHook = (change: ProviderStateChange) => Promise<string | undefined>;

export interface ProviderStateChange {
  readonly state: string;
  readonly action: "setup" | "teardown";
  readonly params: JsonObject;
}

/** A change that was asked for, and what came of it. */
export interface ProviderStateEvent extends ProviderStateChange {
  readonly isDone: boolean;
  /** What provides the state: a scenario's workflow, or a hook. */
  readonly by: string | undefined;
  readonly afterStep: string | undefined;
  readonly problem: string | undefined;
  /** The provider state whose world this one took the place of before anybody had asked it; of two that one interaction needs, one is lost. */
  readonly replaced: string | undefined;
}

export interface ProviderStateOptions {
  readonly scenarios: readonly ProvidedScenario[];
  /** By the name of the provider state; they come before the scenarios'. */
  readonly hooks: ReadonlyMap<string, ProviderStateHook>;
  /** Where the provider is, if it is not the stub behind this server. */
  readonly elsewhere: string | undefined;
  readonly wallNowMs: () => number;
  readonly onChange: (event: ProviderStateEvent) => void;
}

interface Provided extends ProvidedScenario {
  readonly name: string;
  readonly afterStep: string | undefined;
}

type Done = {
  readonly by: string;
  readonly afterStep: string | undefined;
  readonly values: JsonObject;
  readonly replaced?: string | undefined;
};
type Failed = { readonly status: number; readonly problem: string };

/** A stub whose world is the one of the provider state that was asked for last, by Pact's state-change requests. */
export class ProviderStateServer {
  readonly handler: Handler;
  readonly #options: ProviderStateOptions;
  readonly #provided: readonly Provided[];
  #stub: Handler | undefined;
  /** The provider state of the stub's world, until it is asked something or torn down. */
  #unrequested: string | undefined;
  /** Changes follow each other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ProviderStateOptions) {
    this.#options = options;
    this.#provided = options.scenarios.flatMap((provided) =>
      providedStates(provided.scenario.workflow).map((state) => ({ ...provided, ...state })),
    );
    const [first] = options.scenarios;
    if (first !== undefined && options.elsewhere === undefined) this.#stub = this.#freshStub(first);
    this.handler = (request) => this.#handle(request);
  }

  /** The names that can be asked for. */
  get names(): readonly string[] {
    const provided = this.#options.elsewhere === undefined ? this.#provided.map(({ name }) => name) : [];
    return [...new Set([...this.#options.hooks.keys(), ...provided])];
  }

  async #handle(request: Request): Promise<Awaited<ReturnType<Handler>>> {
    if (request.target.split("?")[0] !== providerStatesPath) return this.#response(request);
    if (refusalOf(request, loopbackAccess) !== undefined)
      return refused({
        status: 403,
        problem: "Provider states are for this machine only, and for no page of another site.",
      });
    if (request.method === "GET") return json(200, { providerStates: [...this.names] });
    if (request.method !== "POST") return refused({ status: 405, problem: "POST a provider state here." });
    const turn = this.#last.then(() => this.#change(request));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #response(request: Request): Promise<Awaited<ReturnType<Handler>>> {
    this.#unrequested = undefined;
    if (this.#stub !== undefined) return this.#stub(request);
    const problem = `This server only changes provider states; the provider is at ${this.#options.elsewhere}.`;
    return refused({ status: 404, problem });
  }

  async #change(request: Request): Promise<Response> {
    const changes = changesIn(jsonIn(request.body));
    if (changes === undefined)
      return refused({ status: 400, problem: 'A state change is { "state": "…", "action": "setup", "params": {} }.' });
    let values: JsonObject = {};
    for (const change of changes) {
      const came = await this.#perform(change);
      const isDone = "values" in came;
      this.#options.onChange({
        ...change,
        isDone,
        by: isDone ? came.by : undefined,
        afterStep: isDone ? came.afterStep : undefined,
        problem: isDone ? undefined : came.problem,
        replaced: isDone ? came.replaced : undefined,
      });
      if (!isDone) return refused(came, this.names);
      values = { ...values, ...came.values };
    }
    return json(200, values);
  }

  async #perform(change: ProviderStateChange): Promise<Done | Failed> {
    const hook = this.#options.hooks.get(change.state);
    if (hook !== undefined) return runHook(hook, change);
    // Interactions without a provider state ask for the nameless one.
    const isNameless = change.state === "";
    if (this.#options.elsewhere !== undefined)
      return isNameless ? { by: "", afterStep: undefined, values: {} } : withoutHook(change.state, this.names);
    const found = isNameless ? this.#provided[0] : this.#provided.find(({ name }) => name === change.state);
    if (found === undefined)
      return {
        status: 404,
        problem: `There is no provider state ${JSON.stringify(change.state)}. ${advise(change.state, this.names)}`,
      };
    const state = isNameless ? { ...found, afterStep: undefined } : found;
    return change.action === "teardown" ? this.#reset(state) : this.#setUp(state, change.params);
  }

  #reset(state: Provided): Done {
    this.#stub = this.#freshStub(state);
    this.#unrequested = undefined;
    return { by: workflowOf(state), afterStep: undefined, values: {} };
  }

  /** The world changes only once it is as it was asked for. */
  async #setUp(state: Provided, params: JsonObject): Promise<Done | Failed> {
    const named = params[afterStepParam] ?? state.afterStep;
    const afterStep = named === undefined || typeof named === "string" ? named : formatJson(named);
    const steps = stepIdsOf(state.scenario.workflow);
    if (afterStep !== undefined && !steps.includes(afterStep)) {
      const problem = `${state.scenario.file} has no step ${JSON.stringify(afterStep)}. ${advise(afterStep, steps)}`;
      return { status: 404, problem };
    }
    const stub = this.#freshStub(state);
    const nowMs = this.#options.wallNowMs;
    const taken = await takeSteps(state.scenario, { handler: stub, nowMs, afterStep });
    if (taken.type === "failed") return { status: 500, problem: taken.problem };
    const replaced = this.#unrequested === state.name ? undefined : this.#unrequested;
    this.#stub = stub;
    this.#unrequested = state.name;
    return { by: workflowOf(state), afterStep, values: taken.outputs, replaced };
  }

  #freshStub({ scenario, profile }: ProvidedScenario): Handler {
    const { wallNowMs } = this.#options;
    return withControl(hostScenario(scenario, { profile, wallNowMs }), loopbackAccess);
  }
}

function workflowOf({ scenario }: ProvidedScenario): string {
  return String(scenario.workflow["workflowId"] ?? "");
}

async function runHook(hook: ProviderStateHook, change: ProviderStateChange): Promise<Done | Failed> {
  const why = await hook(change);
  if (why === undefined) return { by: "hook", afterStep: undefined, values: {} };
  return { status: 500, problem: `The hook of ${JSON.stringify(change.state)} failed: ${why}.` };
}

function withoutHook(name: string, known: readonly string[]): Failed {
  const problem = `There is no hook for the provider state ${JSON.stringify(name)}. ${advise(name, known)}`;
  return { status: 404, problem: `${problem} Name one with --hook "${name}=COMMAND".` };
}

/** What a verifier asks: one state, or as in version 2 several under `states`. Undefined where it asks nothing. */
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

function json(status: number, value: Json): Response {
  return textResponse(status, "application/json", formatJson(value));
}

function refused({ status, problem }: Failed, known?: readonly string[]): Response {
  return json(status, { error: problem, ...(known === undefined ? {} : { known: [...known] }) });
}
