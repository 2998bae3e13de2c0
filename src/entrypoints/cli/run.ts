import { curlLine } from "../../checker/engine/curl-line.ts";
import { faultSentence } from "../../checker/engine/rule-fault.ts";
import { red, renderViolation } from "../../checker/reports/formats/terminal.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { defaultProfileOf } from "../../foundation/spec/spec.ts";
import { printable } from "../../foundation/text/printable.ts";
import { writeHar } from "../../recordings/har/write-har.ts";
import { createRedactor } from "../../recordings/redaction/redactor.ts";
import type { StepResult } from "../../scenarios/files/run-step.ts";
import { reasonOf } from "../../stub/journal/journal-entry.ts";
import { filesOfScenario } from "../programs/files/scenario-file.ts";
import { writeBigint } from "../programs/files/write-bigint.ts";
import { writeWhole } from "../programs/files/write-whole.ts";
import {
  actualText,
  hasPassed,
  type RunSettings,
  resultOf,
  runScenarios,
  type ScenarioRunResult,
  scenariosToRun,
} from "../programs/run-scenarios.ts";
import { headersInWorld } from "../programs/target/understudy-target.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { version } from "../programs/version.ts";
import { clientCertificateFlags } from "./flags/client-certificate.ts";
import { fileOf } from "./flags/file-of.ts";
import { checkNew, forceFlag } from "./flags/force-flag.ts";
import {
  allOperationsFlag,
  profileFlag,
  registryProfileFlag,
  rulesOptionsOf,
  strictFlag,
} from "./flags/profile-flags.ts";
import { isQuiet, quietFlag } from "./flags/quiet-flag.ts";
import { timeoutFlag, timeoutMsOf } from "./flags/timeout.ts";
import { tlsOf } from "./flags/tls-files.ts";
import { type Command, type Environment, type Options, textFlag } from "./options.ts";
import { controlTokenFlag, controlTokenOf } from "./server/control-access.ts";

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
    ...clientCertificateFlags,
    textFlag("out", "FILE", "write all exchanges to this file as HAR 1.2"),
    forceFlag,
    quietFlag,
  ],
  pairs: [{ flags: ["control-token", "timeout", "tls-cert", "tls-key"], needs: "against" }],
  examples: [
    "understudy run scenarios/*.yaml",
    "understudy run scenarios/quickstart.arazzo.yaml --against http://localhost:7575",
  ],
  run: runCommand,
};

async function runCommand(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0)
    throw new UserError("run needs at least one scenario: understudy run my.arazzo.yaml");
  const settings: RunSettings = {
    against: options.text("against"),
    controlToken: controlTokenOf(options),
    timeout: timeoutMsOf(options) / 1000,
    certificate: tlsOf(options),
    ...rulesOptionsOf(options),
  };
  const scenarios = scenariosToRun(options.positionals, settings, environment);
  const out = fileOf("out", options);
  if (out !== undefined)
    checkNew(
      out,
      scenarios.flatMap((scenario) => filesOfScenario(scenario, options)),
      options,
    );
  const results: ScenarioRunResult[] = [];
  for await (const result of runScenarios(scenarios, settings, environment)) {
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
    ...steps.filter(({ outcome }) => outcome === "failed" || outcome === "not-run").flatMap(stepLines),
    ...failed.flatMap((violation) => renderViolation(verdict, [violation], isColoured)).map((line) => `  ${line}`),
  ];
}

/** The number of steps: those that were run, or more of the scenario if one of them failed. Attempts that failed do not count. */
function stepsOf({ run, steps }: ScenarioRunResult): number {
  const counted = steps.filter(({ outcome }) => outcome !== "handled");
  const all = run.scenario.main.value["steps"];
  const isWhole = !Array.isArray(all) || counted.every(({ outcome }) => outcome === "passed");
  return isWhole ? counted.length : Math.max(all.length, counted.length);
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
