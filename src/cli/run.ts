import { sendOverHttp } from "../client/send-over-http.ts";
import { withControl } from "../control/control.ts";
import { Hosting } from "../hosting/hosting.ts";
import type { Handler } from "../http/handler.ts";
import type { Scenario } from "../scenario/load-scenario.ts";
import { type RunTarget, runScenario, type StepResult } from "../scenario/run-scenario.ts";
import { impliedRegistryProfile, profileNamesOf } from "../spec/spec.ts";
import { World } from "../world/world.ts";
import type { Command, Environment, Options } from "./options.ts";
import { load } from "./serve.ts";
import { exitCodes, UserError } from "./user-error.ts";

export const run: Command = {
  name: "run",
  usage: "run SCENARIO… [--against URL]",
  summary: "Runs the steps of scenarios against the stub, in every profile where they hold, or against a target.",
  flags: [{ name: "against", type: "string", value: "URL", help: "send the requests there instead of to a stub" }],
  run: runCommand,
};

async function runCommand(options: Options, environment: Environment): Promise<number> {
  if (options.positionals.length === 0) throw new UserError("run needs at least one scenario.");
  const scenarios = options.positionals.map(load);
  const against = options.text("against");
  let isGreen = true;
  for (const scenario of scenarios) {
    for (const { name, target } of targetsOf(scenario, against)) {
      const results = await runReaching(scenario, target, against);
      isGreen &&= results.every(({ outcome }) => outcome === "passed");
      report(options, environment, `${scenario.file} (${name})`, results);
    }
  }
  return isGreen ? exitCodes.fine : exitCodes.findings;
}

async function runReaching(
  scenario: Scenario,
  target: RunTarget,
  against: string | undefined,
): Promise<readonly StepResult[]> {
  try {
    return await runScenario(scenario, target);
  } catch (error) {
    if (against === undefined || !(error instanceof TypeError)) throw error;
    throw new UserError(`${against} cannot be reached. Check the URL and that the target runs.`, exitCodes.unreachable);
  }
}

function targetsOf(
  scenario: Scenario,
  against: string | undefined,
): readonly { readonly name: string; readonly target: RunTarget }[] {
  if (against !== undefined)
    return [
      { name: against, target: { handler: sendOverHttp(checkedUrl(against)), hasControl: false, nowMs: Date.now } },
    ];
  const names = scenario.profiles.length > 0 ? scenario.profiles : profileNamesOf("ledger");
  return names.map((name) => ({
    name,
    target: { handler: stubHandler(scenario, name), hasControl: true, nowMs: Date.now },
  }));
}

function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UserError(`--against ${text} is not an http or https URL.`);
  return text;
}

/** A fresh world under a frozen clock for each run; nothing of it needs a socket. */
function stubHandler(scenario: Scenario, ledger: string): Handler {
  const world = new World(scenario.initial, scenario.clockMode, Date.now);
  const hosting = new Hosting({
    world,
    profile: { ledger, registry: impliedRegistryProfile(ledger) },
    authentication: "bearer",
    wallNowMs: Date.now,
  });
  const handler = withControl(hosting, new Set(["127.0.0.1"]));
  return (request) => handler({ ...request, headers: [...request.headers, ["Host", "127.0.0.1"]] });
}

function report(options: Options, environment: Environment, name: string, results: readonly StepResult[]): void {
  if (options.flag("json")) {
    environment.print(
      JSON.stringify({
        event: "ran",
        name,
        steps: results.map(({ stepId, outcome, reason }) => ({ stepId, outcome, reason })),
      }),
    );
    return;
  }
  const bad = results.filter(({ outcome }) => outcome !== "passed");
  environment.print(
    `${bad.length === 0 ? "passed" : "FAILED"}  ${name}: ${results.length - bad.length} of ${results.length} steps`,
  );
  for (const { stepId, outcome, reason } of bad) environment.print(`  ${stepId}: ${outcome}: ${reason ?? ""}`);
}
