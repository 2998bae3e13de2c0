import { setTimeout as sleep } from "node:timers/promises";
import { checkTrace } from "../../checker/engine/checker.ts";
import { curlLine } from "../../checker/engine/curl-line.ts";
import type { VerdictSummary } from "../../checker/engine/verdict.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { mediaType } from "../../foundation/http/header.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { objectOf } from "../../foundation/json/members.ts";
import type { LedgerProfile } from "../../foundation/spec/generated/names.ts";
import { loadSpec, type ProfileNames, profileNamesOf } from "../../foundation/spec/spec.ts";
import { withoutMiddle } from "../../foundation/text/shortened.ts";
import { isPlayable, type Scenario } from "../../scenarios/files/load-scenario.ts";
import { runScenario } from "../../scenarios/files/run-scenario.ts";
import type { StepResult } from "../../scenarios/files/run-step.ts";
import { firstWorkflows } from "../../scenarios/files/workflow.ts";
import { asLoopback, loopbackAccess } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import type { Network } from "../../transport/client/route.ts";
import { sendOverHttp } from "../../transport/client/send-over-http.ts";
import { hostScenario } from "../library/host-scenario.ts";
import { steadyNowMs } from "../library/steady-now-ms.ts";
import type { Given, ProgramCaller } from "./caller.ts";
import { loadScenarioFile } from "./files/scenario-file.ts";
import { levelOf, type RulesOptions, releasesOf } from "./releases.ts";
import { checkedBaseUrl } from "./target/base-url.ts";
import { inFreshWorld, servedScenario, withUnreachableError } from "./target/understudy-target.ts";
import { withControlToken } from "./target/with-control-token.ts";
import { exitCodes, UserError } from "./user-error.ts";

/** Options of `run`; each but `scenarios` has a default. */
export interface RunOptions extends RulesOptions {
  /** Scenario files. */
  readonly scenarios: readonly string[];
  /** Base URL of a ledger and registry that receive the requests. Default: the stub, in this process. */
  readonly against?: string;
  /** Token of the control API of the target, if it is a stub. */
  readonly controlToken?: string;
  /** This release only. Default: the `profiles` of the scenario, or all; for a target the newest. */
  readonly profile?: LedgerProfile;
  /** Time limit for a response of the target, in seconds. Default: 30. */
  readonly timeout?: number;
  /** Values for the inputs of workflows; they override those of `x-understudy`. */
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/** A run of a scenario: the handler that receives its requests, and the profile that its responses are checked against. */
interface ScenarioRun {
  readonly scenario: Scenario;
  readonly name: string;
  readonly handler: Handler;
  readonly hasControl: boolean;
  readonly profile: ProfileNames;
  /** Prefix of the request targets in curl lines and recordings. */
  readonly baseUrl: string;
  /** Removes the world that the run created at its target. */
  end(): Promise<void>;
}

export interface ScenarioRunResult {
  readonly run: ScenarioRun;
  readonly steps: readonly StepResult[];
  readonly verdict: VerdictSummary;
  /** Number of responses that the plan decided; they are not checked. */
  readonly planned: number;
}

/** Options of a run, of which each but the scenarios may be undefined. The client certificate is for a target that requires one. */
export type RunSettings = Given<Omit<RunOptions, "scenarios" | "folder">> & Pick<Network, "certificate">;

/** Loads the scenarios of a run. Throws a UserError for one that is invalid or has no steps. */
export function scenariosToRun(
  files: readonly string[],
  { profile }: Pick<RunSettings, "profile">,
  caller: ProgramCaller,
): readonly Scenario[] {
  const scenarios = files.map((file) => loadScenarioFile(file, caller, { profile }));
  const idle = scenarios.find(({ main }) =>
    firstWorkflows(main.document).every(({ value }) => !Array.isArray(value["steps"]) || value["steps"].length === 0),
  );
  if (idle !== undefined) throw new UserError(nothingToRun(idle));
  return scenarios;
}

function nothingToRun({ file, placeholder }: Scenario): string {
  return placeholder === undefined
    ? `${file} has no steps: there is nothing to run.`
    : `${file} is a fixture, which has no steps: there is nothing to run. Name a scenario that uses it, or serve it: understudy serve ${file}`;
}

/** Runs scenarios against the stub or the target of the options, one after the other. */
export async function* runScenarios(
  scenarios: readonly Scenario[],
  options: RunSettings,
  caller: ProgramCaller,
): AsyncGenerator<ScenarioRunResult> {
  const runs =
    options.against === undefined
      ? scenarios.flatMap((scenario) => stubRuns(scenario, options, caller))
      : await targetRuns(scenarios, options.against, options, caller);
  if (runs.length === 0)
    throw new UserError(
      `Nothing was run: no scenario supports the release. Choose another one with ${caller.nameOf("profile")}.`,
      exitCodes.incomplete,
    );
  for (const run of runs) yield await endedRun(run, options);
}

/** Time limit for a response of a target. */
const timeoutSecondsDefault = 30;

/** Runs a scenario and removes its world, also if the run fails. */
async function endedRun(...given: Parameters<typeof checkedRun>): ReturnType<typeof checkedRun> {
  try {
    return await checkedRun(...given);
  } finally {
    // After a failure the target may be unreachable; the failure itself is reported.
    await Promise.allSettled([given[0].end()]);
  }
}

/** A new world with the scenario's clock for each profile. The requests need no socket. */
function stubRuns(scenario: Scenario, options: RunSettings, caller: ProgramCaller): readonly ScenarioRun[] {
  const supported = scenario.profiles.length > 0 ? scenario.profiles : profileNamesOf("ledger");
  const playable = supported.filter((profile) => isPlayable(scenario.initial.ledger, profile));
  const { profile: requested } = options;
  if (requested !== undefined && !playable.includes(requested)) {
    caller.printError(`skipped ${scenario.file}: it supports ${playable.join(", ")}, not ${requested}`);
    return [];
  }
  return (requested === undefined ? playable : [requested]).map((ledger) => {
    const profile = releasesOf(options, ledger);
    const handler = asLoopback(
      withControl(hostScenario(scenario, { profile, wallNowMs: Date.now, steadyNowMs }), loopbackAccess),
    );
    return {
      scenario,
      name: profile.ledger,
      handler,
      hasControl: true,
      profile,
      baseUrl: "",
      end: async () => undefined,
    };
  });
}

async function targetRuns(
  scenarios: readonly Scenario[],
  against: string,
  options: RunSettings,
  caller: ProgramCaller,
): Promise<readonly ScenarioRun[]> {
  const baseUrl = checkedBaseUrl(caller.nameOf("against"), against);
  const timeoutMs = (options.timeout ?? timeoutSecondsDefault) * 1000;
  const client = sendOverHttp(baseUrl, { timeoutMs, variables: caller.variables, certificate: options.certificate });
  const handler = withUnreachableError(withControlToken(client, options.controlToken), against);
  const served = await servedScenario(handler, caller);
  const hasControl = served !== undefined;
  for (const { file, main } of scenarios)
    if (served !== undefined && served !== main.id)
      caller.printError(
        `${against} serves the scenario ${served}. ${file} expects its own fixtures and plan, so its steps can fail.`,
      );
  const profile = releasesOf(options, profileNamesOf("ledger").find((name) => name !== "spec") ?? "spec");
  return scenarios.map((scenario) => {
    const world = hasControl ? inFreshWorld(handler) : { handler, end: async () => undefined };
    return { scenario, name: against, ...world, hasControl, profile, baseUrl };
  });
}

async function checkedRun(
  run: ScenarioRun,
  options: Pick<RunSettings, "strict" | "allOperations" | "inputs">,
): Promise<ScenarioRunResult> {
  const { scenario, handler, hasControl, profile, baseUrl } = run;
  const inputs = objectOf(jsonOf(JSON.stringify(options.inputs ?? {})));
  const raw = await runScenario(scenario, { handler, hasControl, nowMs: steadyNowMs, sleep, inputs });
  const steps = raw.map((step) => ({ ...step, exchange: addressed(step.exchange, baseUrl) }));
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const [level, areAdditionalOperationsChecked] = [levelOf(options), options.allOperations === true];
  // The exchanges do not show changes by the plan and by control steps, so isExclusive is false.
  const unplanned = steps.filter(({ exchange }) => exchange?.response.isPlanned !== true);
  const verdict = checkTrace(unplanned, { spec, level, areAdditionalOperationsChecked, isExclusive: false });
  return { run, steps, verdict: verdict.summary(), planned: steps.length - unplanned.length };
}

function addressed(exchange: Exchange | undefined, baseUrl: string): Exchange | undefined {
  if (exchange === undefined) return undefined;
  return { ...exchange, request: { ...exchange.request, target: `${baseUrl}${exchange.request.target}` } };
}

/** Whether every step passed and no response breaks a rule. */
export function hasPassed({ steps, verdict }: ScenarioRunResult): boolean {
  return steps.every(({ outcome }) => outcome === "passed" || outcome === "handled") && verdict.failed === 0;
}

/** A scenario that was run against one release of the stub, or against a target. */
export interface RunOfScenario {
  readonly scenario: string;
  /** The release of the stub, or the URL of the target. */
  readonly against: string;
  readonly profile: ProfileNames;
  /** Whether every step passed and no response breaks a rule. */
  readonly hasPassed: boolean;
  readonly steps: readonly RunOfStep[];
  /** Number of responses that were checked against the rules, and of those that the plan decided. */
  readonly checked: number;
  readonly planned: number;
  readonly violations: VerdictSummary["violations"];
  /** Ids of the known divergences of the release that were observed. */
  readonly known: readonly string[];
}

/** A step; the members that are about a failure are undefined for a step that passed. */
export interface RunOfStep extends Pick<StepResult, "stepId" | "outcome" | "reason" | "section" | "pointer"> {
  /** Status, media type and the body without its middle. */
  readonly actual: string | undefined;
  /** A command that repeats the request; undefined for a step that was not run. */
  readonly curl: string | undefined;
}

/** The result as a value for programs, and for `--json`. */
export function resultOf(result: ScenarioRunResult): RunOfScenario {
  const { run, steps, verdict, planned } = result;
  return {
    scenario: run.scenario.file,
    against: run.name,
    profile: run.profile,
    hasPassed: hasPassed(result),
    steps: steps.map(({ stepId, outcome, reason, exchange, section, pointer }) => ({
      actual: exchange === undefined || outcome === "passed" ? undefined : actualText(exchange),
      stepId,
      outcome,
      reason,
      section,
      pointer,
      curl: exchange === undefined ? undefined : curlLine(exchange.request),
    })),
    checked: verdict.exchanges - verdict.unsupported,
    planned,
    violations: verdict.violations,
    known: verdict.knownDivergences.map(({ id }) => id),
  };
}

const shownMax = 300;

/** The response in a line: status, media type and the beginning of the body. */
export function actualText({ response }: Exchange): string {
  if (response.type === "broken") return `no complete response (${response.kind})`;
  return `${response.status} ${mediaType(response.headers) ?? ""} ${withoutMiddle(response.body.text(), shownMax)}`;
}
