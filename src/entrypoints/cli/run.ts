import { Checker } from "../../checker/engine/checker.ts";
import { curlLine } from "../../checker/engine/curl-line.ts";
import type { Level } from "../../checker/engine/exchange-verdict.ts";
import { faultSentence } from "../../checker/engine/rule-fault.ts";
import { Verdict, type VerdictSummary } from "../../checker/engine/verdict.ts";
import { red, renderViolation } from "../../checker/reports/formats/terminal.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { mediaType } from "../../foundation/http/header.ts";
import { loadSpec, type ProfileNames, profileNamesOf } from "../../foundation/spec/spec.ts";
import { printable } from "../../foundation/text/printable.ts";
import { writeHar } from "../../recordings/har/write-har.ts";
import { createRedactor } from "../../recordings/redaction/redactor.ts";
import { isPlayable, type Scenario } from "../../scenarios/files/load-scenario.ts";
import { runScenario, type StepResult } from "../../scenarios/files/run-scenario.ts";
import { asLoopback, loopbackAccess } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import { sendOverHttp } from "../../transport/client/send-over-http.ts";
import { hostScenario } from "../library/host-scenario.ts";
import { fileOf } from "./files/named-file.ts";
import { filesOf, load } from "./files/scenario-file.ts";
import { writeBigint } from "./files/write-bigint.ts";
import { checkNew, forceFlag, writeWhole } from "./files/write-whole.ts";
import { checkedBaseUrl } from "./flags/base-url.ts";
import {
  allOperationsFlag,
  levelOf,
  namedProfile,
  profileFlag,
  profileOf,
  registryProfileFlag,
  strictFlag,
} from "./flags/profile-flags.ts";
import { isQuiet, quietFlag } from "./flags/quiet-flag.ts";
import { timeoutFlag, timeoutMsOf } from "./flags/timeout.ts";
import type { Command, Environment, Options } from "./options.ts";
import { controlTokenFlag, withControlToken } from "./server/control-access.ts";
import { steadyNowMs } from "./target/steady-now-ms.ts";
import { inWorldOfItsOwn, reaching, servedBy } from "./target/understudy-target.ts";
import { exitCodes, UserError } from "./user-error.ts";
import { version } from "./version.ts";

export const run: Command = {
  name: "run",
  usage: "run SCENARIO… [flags]",
  flags: [
    { name: "against", type: "string", value: "URL", help: "send the requests to this target instead of the stub" },
    controlTokenFlag,
    profileFlag("this release only (default: all that the scenario supports; for a target the newest)"),
    registryProfileFlag,
    strictFlag,
    allOperationsFlag,
    timeoutFlag("time limit for a response of the target (default 30)"),
    { name: "out", type: "string", value: "FILE", help: "write all exchanges to this file as HAR 1.2" },
    forceFlag,
    quietFlag,
  ],
  examples: [
    "understudy run scenarios/*.yaml",
    "understudy run scenarios/quickstart.arazzo.yaml --against http://localhost:7575",
  ],
  run: runCommand,
};

/** One way to run a scenario: where its requests go, and what its responses are checked by. */
interface Trial {
  readonly scenario: Scenario;
  readonly name: string;
  readonly handler: Handler;
  readonly hasControl: boolean;
  readonly profile: ProfileNames;
  /** Put before the request targets in curl lines and recordings. */
  readonly baseUrl: string;
  /** Takes away what the trial made at its target. */
  end(): Promise<void>;
}

interface TrialResult {
  readonly trial: Trial;
  readonly steps: readonly StepResult[];
  readonly verdict: VerdictSummary;
}

async function runCommand(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0) throw new UserError("run needs at least one scenario.");
  const scenarios = options.positionals.map((file) => load(file, options, { profile: options.text("profile") }));
  const idle = scenarios.find(({ workflow }) => !Array.isArray(workflow["steps"]) || workflow["steps"].length === 0);
  if (idle !== undefined) throw new UserError(`${idle.file} has no steps: there is nothing to run.`);
  const out = fileOf("out", options);
  if (out !== undefined)
    checkNew(
      out,
      scenarios.flatMap((scenario) => filesOf(scenario, options)),
      options,
    );
  const level = levelOf(options);
  const against = options.text("against");
  const timeoutMs = timeoutMsOf(options);
  const trials =
    against === undefined
      ? scenarios.flatMap((scenario) => stubTrials(scenario, options, environment))
      : await targetTrials(scenarios, { against, timeoutMs }, options, environment);
  const results: TrialResult[] = [];
  for (const trial of trials) {
    const result = await runTrial(trial, level, options.flag("all-operations"));
    await trial.end();
    results.push(result);
    report(options, environment, result);
  }
  if (out !== undefined)
    writeWhole(out, writeHar(results.flatMap(exchangesOf), version()), { isReplacing: options.flag("force") });
  const fault = faultSentence({ faults: results.flatMap(({ verdict }) => verdict.faults) });
  if (fault === undefined) return results.every(isGreen) ? exitCodes.fine : exitCodes.findings;
  environment.printError(fault);
  return exitCodes.fault;
}

/** A fresh world under the scenario's clock for each profile; nothing of it needs a socket. */
function stubTrials(scenario: Scenario, options: Options, environment: Environment): readonly Trial[] {
  const holding = scenario.profiles.length > 0 ? scenario.profiles : profileNamesOf("ledger");
  const playable = holding.filter((profile) => isPlayable(scenario.initial.ledger, profile));
  const requested = namedProfile(options);
  if (requested !== undefined && !playable.includes(requested)) {
    environment.printError(`skipped ${scenario.file}: it holds in ${playable.join(", ")}, not in ${requested}`);
    return [];
  }
  const profiles =
    requested === undefined ? playable.map((ledger) => profileOf(options, ledger)) : [profileOf(options, requested)];
  return profiles.map((profile) => {
    const handler = asLoopback(withControl(hostScenario(scenario, { profile, wallNowMs: Date.now }), loopbackAccess));
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

async function targetTrials(
  scenarios: readonly Scenario[],
  { against, timeoutMs }: { readonly against: string; readonly timeoutMs: number },
  options: Options,
  environment: Environment,
): Promise<readonly Trial[]> {
  const baseUrl = checkedBaseUrl("against", against);
  const handler = reaching(withControlToken(sendOverHttp(baseUrl, timeoutMs), options), against);
  const served = await servedBy(handler);
  const hasControl = served !== undefined;
  for (const { file, workflow } of scenarios)
    if (served !== undefined && served !== workflow["workflowId"])
      environment.printError(
        `${against} serves ${served}: what ${file} expects of its own fixtures and plan may not hold there`,
      );
  const profile = profileOf(options, profileNamesOf("ledger").at(-1) ?? "spec");
  return scenarios.map((scenario) => {
    const world = hasControl ? inWorldOfItsOwn(handler) : { handler, end: async () => undefined };
    return { scenario, name: against, ...world, hasControl, profile, baseUrl };
  });
}

async function runTrial(trial: Trial, level: Level, hasAdditionalOperations: boolean): Promise<TrialResult> {
  const { scenario, handler, hasControl, profile, baseUrl } = trial;
  const raw = await runScenario(scenario, { handler, hasControl, nowMs: steadyNowMs });
  const steps = raw.map((step) => ({ ...step, exchange: addressed(step.exchange, baseUrl) }));
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const verdict = new Verdict(spec);
  // What a plan or a control step does is not in the exchanges, so the scenario is not alone.
  const settings = {
    spec,
    level,
    areAdditionalOperationsChecked: hasAdditionalOperations,
    order: "one-by-one",
    isExclusive: false,
  } as const;
  const checker = new Checker(settings, verdict);
  for (const { exchange } of steps) if (exchange !== undefined) checker.add(exchange);
  checker.end();
  return { trial, steps, verdict: verdict.summary() };
}

function addressed(exchange: Exchange | undefined, baseUrl: string): Exchange | undefined {
  if (exchange === undefined) return undefined;
  return { ...exchange, request: { ...exchange.request, target: `${baseUrl}${exchange.request.target}` } };
}

function isGreen({ steps, verdict }: TrialResult): boolean {
  return steps.every(({ outcome }) => outcome === "passed") && verdict.failed === 0;
}

/**
 * Worlds have nothing to do with each other, so a recording of several says which one answered. Secrets are taken out as
 * `record` does, so that what is left still is what the contract asks for.
 */
function exchangesOf({ trial, steps }: TrialResult, index: number): readonly Exchange[] {
  const redactor = createRedactor({ keepsIds: true });
  const clean = steps.flatMap(({ exchange }) => (exchange === undefined ? [] : redactor.redact(exchange)));
  return trial.hasControl ? clean.map((exchange) => inWorld(exchange, `run-${index + 1}`)) : clean;
}

function inWorld({ request, ...rest }: Exchange, world: string): Exchange {
  return { ...rest, request: { ...request, headers: [...request.headers, ["Understudy-World", world]] } };
}

function report(options: Options, environment: Environment, result: TrialResult): void {
  if (isQuiet(options) && isGreen(result)) return;
  if (options.flag("json")) environment.print(JSON.stringify(eventOf(result), writeBigint));
  else for (const line of linesOf(result, environment.isColoured)) environment.print(line);
}

function eventOf(result: TrialResult): object {
  const { trial, steps, verdict } = result;
  return {
    event: "ran",
    scenario: trial.scenario.file,
    against: trial.name,
    profile: trial.profile,
    isGreen: isGreen(result),
    steps: steps.map(({ stepId, outcome, reason, exchange, section, pointer }) => ({
      came: exchange === undefined || outcome === "passed" ? undefined : cameOf(exchange),
      stepId,
      outcome,
      reason,
      section,
      pointer,
      curl: exchange === undefined ? undefined : curlLine(exchange.request),
    })),
    checked: verdict.exchanges - verdict.unsupported,
    violations: verdict.violations,
    known: verdict.knownDivergences.map(({ id }) => id),
  };
}

function linesOf(result: TrialResult, isColoured: boolean): readonly string[] {
  const { trial, steps, verdict } = result;
  const checked = verdict.exchanges - verdict.unsupported;
  const passed = steps.filter(({ outcome }) => outcome === "passed").length;
  const failed = verdict.violations.filter(({ outcome }) => outcome === "FAIL");
  const known = verdict.knownDivergences.map(({ id }) => id).sort();
  const shown = known.length === 0 ? "" : `, KNOWN ${known.join(" ")}`;
  const planned = trial.scenario.workflow["steps"];
  const total = Array.isArray(planned) ? planned.length : steps.length;
  const mark = isGreen(result) ? "passed" : isColoured ? red("FAILED") : "FAILED";
  return [
    `${mark}  ${trial.scenario.file} (${trial.name}): ${passed} of ${total} steps, ${checked} ${checked === 1 ? "response" : "responses"} checked${shown}`,
    ...steps.filter(({ outcome }) => outcome !== "passed").flatMap(stepLines),
    ...failed.flatMap((violation) => renderViolation(verdict, [violation], isColoured)).map((line) => `  ${line}`),
  ];
}

const shownMax = 300;

/** The response in a line: status, media type and the beginning of the body. */
function cameOf({ response }: Exchange): string {
  if (response.type === "broken") return `nothing: ${response.kind}`;
  const body = new TextDecoder().decode(response.body);
  const shown = body.length > shownMax ? `${body.slice(0, shownMax)}…` : body;
  return `${response.status} ${mediaType(response.headers) ?? ""} ${shown}`;
}

/** A broken condition of a step is shown like a broken rule, under the name `step-criterion`. */
function stepLines({ stepId, outcome, reason, exchange, section, pointer }: StepResult): readonly string[] {
  return [
    `  ${outcome === "failed" ? "FAIL step-criterion:" : "not run:"} ${stepId}: ${printable(reason ?? "")}`,
    ...(exchange === undefined ? [] : [`    actual    ${printable(cameOf(exchange))}`]),
    ...(exchange === undefined ? [] : [`    at        ${pointer === "" ? "(the response)" : pointer}`]),
    ...(section === undefined ? [] : [`    spec      §${section}`]),
    ...(exchange === undefined ? [] : [`    repeat    ${printable(curlLine(exchange.request))}`]),
  ];
}
