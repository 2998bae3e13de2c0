import { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { bodyBytesMaxOf } from "../../../foundation/spec/spec.ts";
import type { Scenario } from "../../../scenarios/files/load-scenario.ts";
import { providedStates } from "../../../scenarios/files/provider-states.ts";
import { packagedFile, quickstartScenario } from "../../library/files.ts";
import { isLoopbackAddress } from "../../library/own-address.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import {
  type ProvidedScenario,
  type ProviderStateEvent,
  type ProviderStateHook,
  ProviderStateServer,
  providerStatesPath,
} from "../../pact/provider-state-server.ts";
import { loadScenarioFile } from "../../programs/files/scenario-file.ts";
import { writeBigint } from "../../programs/files/write-bigint.ts";
import { checkedBaseUrl } from "../../programs/target/base-url.ts";
import { runHook } from "../../programs/target/run-hook.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { namedProfile, profileFlag, profileOf, registryProfileFlag } from "../flags/profile-flags.ts";
import { hostFlag, portFlag, readyFileFlag } from "../flags/server-flags.ts";
import { timeoutFlag, timeoutMsOf } from "../flags/timeout.ts";
import { type Environment, listFlag, type Options, type Subcommand, textFlag } from "../options.ts";
import { hostOf } from "../server/control-access.ts";
import { limitsFrom, serverLimitFlag, summarizeLimits } from "../server/limit-flags.ts";
import { listen } from "../server/listen.ts";
import { withinOpenFiles } from "../server/open-files.ts";
import { readyFileOf } from "../server/ready-file.ts";
import { checkProfileSupported } from "./check-profile-supported.ts";

export const pactStates: Subcommand = {
  name: "pact states",
  usage: "pact states [SCENARIO…] [flags]",
  summary: "Serve provider states of scenarios for Pact's verifier, or run hooks for a real node.",
  flags: [
    portFlag(7575),
    { ...hostFlag, help: "loopback address to listen on (default 127.0.0.1)" },
    profileFlag("release to serve (default: each scenario's, else spec)"),
    registryProfileFlag,
    readyFileFlag,
    listFlag(
      "hook",
      "STATE=COMMAND",
      "command that prepares a provider state; reads UNDERSTUDY_STATE, _ACTION and _PARAMS",
    ),
    timeoutFlag("time limit for a hook (default 30)"),
    textFlag("ledger", "URL", "base URL of a real node that the verifier checks: only run the hooks, serve no stub"),
    serverLimitFlag,
  ],
  pairs: [
    { flags: ["profile", "registry-profile"], without: "ledger" },
    { flags: ["timeout"], needs: "hook" },
  ],
  examples: [
    "understudy pact states scenarios/quickstart.arazzo.yaml",
    "understudy pact states --ledger http://localhost:7575 --hook 'alice may act=./grant.sh'",
  ],
  run: runStates,
};

async function runStates(options: Options, environment: Environment): Promise<number> {
  if (!isLoopbackAddress(hostOf(options)))
    throw new UserError(
      `--host ${hostOf(options)} is not a loopback address. Pact's verifier sends no token, so only this machine may set provider states. Use 127.0.0.1, ::1 or localhost.`,
    );
  const ledger = options.text("ledger");
  const providerUrl = ledger === undefined ? undefined : checkedBaseUrl("--ledger", ledger);
  const scenarios = scenariosOf(options, providerUrl);
  const hooks = hooksOf(options, environment, providerUrl);
  if (providerUrl !== undefined && hooks.size === 0)
    throw new UserError('--ledger needs hooks that set up the provider states: --hook "alice may act=./grant.sh".');
  const readyFile = readyFileOf(options);
  const states = new ProviderStateServer({
    scenarios,
    hooks,
    providerUrl,
    wallNowMs: Date.now,
    steadyNowMs,
    onChange: (event) => environment.print(options.flag("json") ? eventText(event) : lineOf(event)),
  });
  const values = limitsFrom(options, serverLimitFlag, bodyBytesMaxOfAll(scenarios));
  const limits = new CountedLimits(withinOpenFiles(values, options, environment));
  const server = await listen(options, environment, { handler: states.handler }, limits);
  const stopped = environment.stopped();
  try {
    readyFile.write(server.url);
    announce(options, environment, { url: server.url, names: states.names, providerUrl });
    await stopped;
  } finally {
    await server.close();
    readyFile.remove();
    summarizeLimits(limits.report(), options, environment);
  }
  return exitCodes.fine;
}

/** The largest limit of a body of all releases: one server serves them in turn. Undefined if none has its own. */
function bodyBytesMaxOfAll(scenarios: readonly ProvidedScenario[]): number | undefined {
  const own = scenarios.flatMap(({ profile }) => bodyBytesMaxOf(profile.ledger) ?? []);
  return own.length === 0 ? undefined : Math.max(...own);
}

/** Loads the scenarios. Throws a UserError if two have a provider state with the same name. */
function scenariosOf(options: Options, providerUrl: string | undefined): readonly ProvidedScenario[] {
  if (providerUrl !== undefined && options.positionals.length > 0)
    throw new UserError(
      "--ledger takes no scenarios: a real node does not have their worlds. Set up its provider states with --hook.",
    );
  const files = options.positionals.length > 0 ? options.positionals : [packagedFile(quickstartScenario)];
  const scenarios =
    providerUrl !== undefined
      ? []
      : files.map((file) => loadScenarioFile(file, options, { profile: namedProfile(options) }));
  const owners = new Map<string, Scenario>();
  for (const scenario of scenarios)
    for (const { name } of providedStates(scenario.main.value)) {
      const other = owners.get(name);
      if (other !== undefined)
        throw new UserError(
          `${other.file} and ${scenario.file} both have the provider state ${JSON.stringify(name)}. Rename one, or serve the scenarios separately.`,
        );
      owners.set(name, scenario);
    }
  return scenarios.map((scenario) => {
    const profile = profileOf(options, scenario.profile);
    checkProfileSupported(scenario, profile.ledger);
    return { scenario, profile };
  });
}

function hooksOf(
  options: Options,
  environment: Environment,
  providerUrl: string | undefined,
): ReadonlyMap<string, ProviderStateHook> {
  const timeoutMs = timeoutMsOf(options);
  const target = providerUrl === undefined ? {} : { ledger: providerUrl };
  return new Map(
    options.texts("hook").map((text) => {
      const mark = text.indexOf("=");
      const [name, command] = [text.slice(0, Math.max(0, mark)).trim(), text.slice(mark + 1).trim()];
      if (name === "" || command === "")
        throw new UserError(`--hook ${text}: not a valid hook. Use --hook "alice may act=./grant.sh", for example.`);
      const hook: ProviderStateHook = ({ state, action, params }) =>
        runHook(
          command,
          { ...target, state, action, params: JSON.stringify(params, writeBigint) },
          { timeoutMs, variables: environment.variables, folder: environment.folder },
        );
      return [name, hook];
    }),
  );
}

function eventText({ isDone, ...event }: ProviderStateEvent): string {
  return JSON.stringify({ event: "provider-state", ...event, outcome: isDone ? "done" : "refused" }, writeBigint);
}

function lineOf({ state, action, isDone, by, afterStep, problem, replaced }: ProviderStateEvent): string {
  const name = state === "" ? "no provider state" : JSON.stringify(state);
  if (!isDone) return `refused   ${name}: ${problem}`;
  const where = afterStep === undefined ? by : `${by}, after step ${afterStep}`;
  const note = replaced === undefined ? "" : `; replaces ${JSON.stringify(replaced)}, which received no request`;
  return `${action.padEnd(8)}  ${name}${where === "" ? "" : ` (${where})`}${note}`;
}

interface ServedStates {
  readonly url: string;
  readonly names: readonly string[];
  readonly providerUrl: string | undefined;
}

function announce(options: Options, environment: Environment, { url, names, providerUrl }: ServedStates): void {
  const providerStatesSetupUrl = `${url}${providerStatesPath}`;
  const providerBaseUrl = providerUrl ?? url;
  if (options.flag("json")) {
    environment.print(
      JSON.stringify({ event: "ready", url, providerBaseUrl, providerStatesSetupUrl, providerStates: names }),
    );
    return;
  }
  environment.print(
    [
      `Understudy serves ${names.length} provider ${names.length === 1 ? "state" : "states"} at ${url}`,
      "",
      "For Pact's verifier:",
      `  providerBaseUrl: "${providerBaseUrl}",`,
      `  providerStatesSetupUrl: "${providerStatesSetupUrl}",`,
      "",
      "Provider states:",
      ...names.map((name) => `  ${name}`),
      "",
      "Stop with Ctrl-C.",
    ].join("\n"),
  );
}
