import { checkTrace } from "../../checker/engine/checker.ts";
import { curlLine } from "../../checker/engine/curl-line.ts";
import type { Level } from "../../checker/engine/exchange-verdict.ts";
import { faultSentence } from "../../checker/engine/rule-fault.ts";
import type { VerdictSummary } from "../../checker/engine/verdict.ts";
import { red, renderViolation } from "../../checker/reports/formats/terminal.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { mediaType } from "../../foundation/http/header.ts";
import { defaultProfileOf, loadSpec, type ProfileNames, profileNamesOf } from "../../foundation/spec/spec.ts";
import { printable } from "../../foundation/text/printable.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { writeHar } from "../../recordings/har/write-har.ts";
import { createRedactor } from "../../recordings/redaction/redactor.ts";
import { isPlayable, type Scenario } from "../../scenarios/files/load-scenario.ts";
import { runScenario, type StepResult } from "../../scenarios/files/run-scenario.ts";
import { asLoopback, loopbackAccess } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import { reasonOf } from "../../stub/journal/journal-entry.ts";
import { sendOverHttp } from "../../transport/client/send-over-http.ts";
import { hostScenario } from "../library/host-scenario.ts";
import { steadyNowMs } from "../library/steady-now-ms.ts";
import { fileOf } from "./files/named-file.ts";
import { filesOfScenario, loadScenarioFile } from "./files/scenario-file.ts";
import { writeBigint } from "./files/write-bigint.ts";
import { checkNew, forceFlag, writeWhole } from "./files/write-whole.ts";
import { checkedBaseUrl } from "./flags/base-url.ts";
import {
  allOperationsFlag,
  ledgerProfile,
  levelOf,
  namedProfile,
  profileFlag,
  profileOf,
  registryProfileFlag,
  strictFlag,
} from "./flags/profile-flags.ts";
import { isQuiet, quietFlag } from "./flags/quiet-flag.ts";
import { timeoutFlag, timeoutMsOf } from "./flags/timeout.ts";
import { type Command, type Environment, type Options, textFlag } from "./options.ts";
import { controlTokenFlag, withControlToken } from "./server/control-access.ts";
import { headersInWorld, inFreshWorld, servedScenario, withUnreachableError } from "./target/understudy-target.ts";
import { exitCodes, UserError } from "./user-error.ts";
import { version } from "./version.ts";

export const run: Command = {
  name: "run",
  usage: "run SCENARIO… [flags]",
  flags: [
    textFlag("against", "URL", "send the requests to this ledger and registry instead of the stub"),
    controlTokenFlag,
    profileFlag(
      `only this release (default: those that the scenario lists, or all; --against: ${defaultProfileOf("ledger")})`,
    ),
    registryProfileFlag,
    strictFlag,
    allOperationsFlag,
    timeoutFlag("time limit for a response of the target (default 30)"),
    textFlag("out", "FILE", "write all exchanges to this file as HAR 1.2"),
    forceFlag,
    quietFlag,
  ],
  pairs: [{ flags: ["control-token", "timeout"], needs: "against" }],
  examples: [
    "understudy run scenarios/*.yaml",
    "understudy run scenarios/quickstart.arazzo.yaml --against http://localhost:7575",
  ],
  run: runCommand,
};

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

interface ScenarioRunResult {
  readonly run: ScenarioRun;
  readonly steps: readonly StepResult[];
  readonly verdict: VerdictSummary;
  /** Number of responses that the plan decided; they are not checked. */
  readonly planned: number;
}

async function runCommand(options: Options, environment: Environment): Promise<number> {
  const scenarios = scenariosOf(options);
  const out = fileOf("out", options);
  if (out !== undefined)
    checkNew(
      out,
      scenarios.flatMap((scenario) => filesOfScenario(scenario, options)),
      options,
    );
  const results: ScenarioRunResult[] = [];
  for await (const result of runScenarios(scenarios, options, environment)) {
    report(options, environment, result, results);
    results.push(result);
  }
  const isShown = !options.flag("json") && !(isQuiet(options) && results.every(hasPassed));
  if (isShown && results.length > 0) for (const line of totalLines(results)) environment.print(line);
  if (out !== undefined)
    writeWhole(out, writeHar(results.flatMap(exchangesOf), version()), { isReplacing: options.flag("force") });
  const fault = faultSentence({ faults: results.flatMap(({ verdict }) => verdict.faults) });
  if (fault === undefined) return results.every(hasPassed) ? exitCodes.fine : exitCodes.findings;
  environment.printError(fault);
  return exitCodes.fault;
}

/** The scenarios that the options name. */
export function scenariosOf(options: Options): readonly Scenario[] {
  if (options.positionals.length === 0)
    throw new UserError("run needs at least one scenario: understudy run my.arazzo.yaml");
  const requested = namedProfile(options);
  if (requested !== undefined) ledgerProfile(requested);
  const scenarios = options.positionals.map((file) => loadScenarioFile(file, options, { profile: requested }));
  const idle = scenarios.find(({ workflow }) => !Array.isArray(workflow["steps"]) || workflow["steps"].length === 0);
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
  options: Options,
  environment: Environment,
): AsyncGenerator<ScenarioRunResult> {
  const level = levelOf(options);
  const against = options.text("against");
  const timeoutMs = timeoutMsOf(options);
  const runs =
    against === undefined
      ? scenarios.flatMap((scenario) => stubRuns(scenario, options, environment))
      : await targetRuns(scenarios, { against, timeoutMs }, options, environment);
  if (runs.length === 0)
    throw new UserError("Nothing was run: no scenario supports the release. Choose another --profile.");
  for (const run of runs) yield await endedRun(run, level, options.flag("all-operations"));
}

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
function stubRuns(scenario: Scenario, options: Options, environment: Environment): readonly ScenarioRun[] {
  const supported = scenario.profiles.length > 0 ? scenario.profiles : profileNamesOf("ledger");
  const playable = supported.filter((profile) => isPlayable(scenario.initial.ledger, profile));
  const requested = namedProfile(options);
  if (requested !== undefined && !playable.includes(requested)) {
    environment.printError(`skipped ${scenario.file}: it supports ${playable.join(", ")}, not ${requested}`);
    return [];
  }
  const profiles =
    requested === undefined ? playable.map((ledger) => profileOf(options, ledger)) : [profileOf(options, requested)];
  return profiles.map((profile) => {
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
  { against, timeoutMs }: { readonly against: string; readonly timeoutMs: number },
  options: Options,
  environment: Environment,
): Promise<readonly ScenarioRun[]> {
  const baseUrl = checkedBaseUrl("against", against);
  const handler = withUnreachableError(withControlToken(sendOverHttp(baseUrl, timeoutMs), options), against);
  const served = await servedScenario(handler);
  const hasControl = served !== undefined;
  for (const { file, workflow } of scenarios)
    if (served !== undefined && served !== workflow["workflowId"])
      environment.printError(
        `${against} serves the scenario ${served}. ${file} expects its own fixtures and plan, so its steps can fail.`,
      );
  const profile = profileOf(options, profileNamesOf("ledger").at(-1) ?? "spec");
  return scenarios.map((scenario) => {
    const world = hasControl ? inFreshWorld(handler) : { handler, end: async () => undefined };
    return { scenario, name: against, ...world, hasControl, profile, baseUrl };
  });
}

async function checkedRun(
  run: ScenarioRun,
  level: Level,
  hasAdditionalOperations: boolean,
): Promise<ScenarioRunResult> {
  const { scenario, handler, hasControl, profile, baseUrl } = run;
  const raw = await runScenario(scenario, { handler, hasControl, nowMs: steadyNowMs });
  const steps = raw.map((step) => ({ ...step, exchange: addressed(step.exchange, baseUrl) }));
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const areAdditionalOperationsChecked = hasAdditionalOperations;
  // The exchanges do not show changes by the plan and by control steps, so isExclusive is false.
  const unplanned = steps.filter(({ exchange }) => exchange?.response.isPlanned !== true);
  const verdict = checkTrace(unplanned, { spec, level, areAdditionalOperationsChecked, isExclusive: false });
  return { run, steps, verdict: verdict.summary(), planned: steps.length - unplanned.length };
}

function addressed(exchange: Exchange | undefined, baseUrl: string): Exchange | undefined {
  if (exchange === undefined) return undefined;
  return { ...exchange, request: { ...exchange.request, target: `${baseUrl}${exchange.request.target}` } };
}

function hasPassed({ steps, verdict }: ScenarioRunResult): boolean {
  return steps.every(({ outcome }) => outcome === "passed") && verdict.failed === 0;
}

/**
 * Exchanges of a run for a recording. A recording of several runs names the world of each. Secrets are redacted as `record`
 * does, so the requests and responses still match the spec.
 */
function exchangesOf({ run, steps }: ScenarioRunResult, index: number): readonly Exchange[] {
  const redactor = createRedactor({ keepsIds: true });
  const clean = steps.flatMap(({ exchange }) => (exchange === undefined ? [] : redactor.redact(exchange)));
  return run.hasControl ? clean.map((exchange) => inWorld(exchange, `run-${index + 1}`)) : clean;
}

function inWorld({ request, ...rest }: Exchange, world: string): Exchange {
  return { ...rest, request: { ...request, headers: headersInWorld(request.headers, world) } };
}

function report(
  options: Options,
  environment: Environment,
  result: ScenarioRunResult,
  earlier: readonly ScenarioRunResult[],
): void {
  if (isQuiet(options) && hasPassed(result)) return;
  if (options.flag("json")) environment.print(JSON.stringify({ event: "ran", ...resultOf(result) }, writeBigint));
  else for (const line of linesOf(result, earlier, environment.isColoured)) environment.print(line);
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
  /** Status, media type and the beginning of the body. */
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

/** The lines of a run. Failures that an earlier run of the scenario has too are not repeated. */
function linesOf(
  result: ScenarioRunResult,
  earlier: readonly ScenarioRunResult[],
  isColoured: boolean,
): readonly string[] {
  const { run, steps, verdict } = result;
  const passed = steps.filter(({ outcome }) => outcome === "passed").length;
  const failures = failureLines(result, isColoured);
  const text = failures.join("\n");
  const same = earlier.find(
    (other) => other.run.scenario === run.scenario && failureLines(other, isColoured).join("\n") === text,
  );
  const known = verdict.knownDivergences.map(({ id }) => id).sort();
  const mark = hasPassed(result) ? "passed" : isColoured ? red("FAILED") : "FAILED";
  return [
    `${mark}  ${run.scenario.file} (${run.name}): ${passed} of ${stepsOf(result)} steps`,
    ...(known.length === 0 ? [] : [`  known divergences: ${known.join(" ")}`]),
    ...(failures.length === 0 || same === undefined ? failures : [`  the same failures as with ${same.run.name}`]),
  ];
}

function failureLines({ steps, verdict }: ScenarioRunResult, isColoured: boolean): readonly string[] {
  const failed = verdict.violations.filter(({ outcome }) => outcome === "FAIL");
  return [
    ...steps.filter(({ outcome }) => outcome !== "passed").flatMap(stepLines),
    ...failed.flatMap((violation) => renderViolation(verdict, [violation], isColoured)).map((line) => `  ${line}`),
  ];
}

/** The number of steps of the scenario. */
function stepsOf({ run, steps }: ScenarioRunResult): number {
  const all = run.scenario.workflow["steps"];
  return Array.isArray(all) ? all.length : steps.length;
}

/** The steps and the responses of all runs. */
function totalLines(results: readonly ScenarioRunResult[]): readonly string[] {
  const sum = (countOf: (result: ScenarioRunResult) => number) =>
    results.reduce((total, result) => total + countOf(result), 0);
  const ended = (outcome: StepResult["outcome"]) =>
    sum(({ steps }) => steps.filter((step) => step.outcome === outcome).length);
  const [passed, failed] = [ended("passed"), ended("failed")];
  const notRun = sum(stepsOf) - passed - failed;
  const checked = sum(({ verdict }) => verdict.exchanges - verdict.unsupported);
  const planned = sum((result) => result.planned);
  return [
    `Steps: ${passed} passed, ${failed} failed${notRun === 0 ? "" : `, ${notRun} not run`}.`,
    `Responses: ${checked} checked${planned === 0 ? "" : `, ${planned} planned`}.`,
  ];
}

const shownMax = 300;

/** The response in a line: status, media type and the beginning of the body. */
function actualText({ response }: Exchange): string {
  if (response.type === "broken") return `no complete response (${response.kind})`;
  return `${response.status} ${mediaType(response.headers) ?? ""} ${shortened(response.body.text(), shownMax)}`;
}

/** A failed condition of a step is shown like a broken rule with the name `step-criterion`. */
function stepLines({ stepId, outcome, reason, exchange, section, pointer }: StepResult): readonly string[] {
  const why = exchange === undefined ? undefined : reasonOf(exchange);
  return [
    `  ${outcome === "failed" ? "FAIL step-criterion:" : "not run:"} ${stepId}: ${printable(reason ?? "")}`,
    ...(exchange === undefined ? [] : [`    actual    ${printable(actualText(exchange))}`]),
    ...(why === undefined ? [] : [`    reason    ${printable(why)}`]),
    ...(exchange === undefined ? [] : [`    at        ${pointer === "" ? "(the response)" : pointer}`]),
    ...(section === undefined ? [] : [`    spec      §${section}`]),
    ...(exchange === undefined ? [] : [`    repeat    ${printable(curlLine(exchange.request))}`]),
  ];
}
