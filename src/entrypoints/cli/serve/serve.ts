import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { bodyBytesMaxOf } from "../../../foundation/spec/spec.ts";
import type { Scenario } from "../../../scenarios/files/load-scenario.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import { createOauthServer, type OauthServer } from "../../../stub/tokens/oauth.ts";
import { packagedFile, quickstartScenario } from "../../library/files.ts";
import { reachableUrl } from "../../library/own-address.ts";
import { clockModes } from "../../library/understudy-options.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { profileFlag, registryProfileFlag } from "../flags/profile-flags.ts";
import { quietFlag } from "../flags/quiet-flag.ts";
import { corsFlag, hostFlag, portFlag, readyFileFlag, tlsFlags } from "../flags/server-flags.ts";
import {
  booleanFlag,
  type Command,
  choiceFlag,
  configFlag,
  type Environment,
  inGroup,
  type Options,
  rare,
  textFlag,
} from "../options.ts";
import { type FindingLog, noClientRulesFlag, WatchedClientRules } from "../report/watched-client-rules.ts";
import { controlAccessFlags, controlEndpointOf, hostOf } from "../server/control-access.ts";
import { limitsFrom, summarizeLimits } from "../server/limit-flags.ts";
import { listen } from "../server/listen.ts";
import { withinOpenFiles } from "../server/open-files.ts";
import { openFlag } from "../server/open-inspector.ts";
import { readyFileOf } from "../server/ready-file.ts";
import { checkLocalnet, localnetFlag, withLocalnet } from "./localnet.ts";
import { logFlag, requestLogOf, withJsonLog } from "./log.ts";
import { quotaFlags, quotasOf } from "./quotas.ts";
import { announce } from "./ready-message.ts";
import { ServedScenario, saveCoverage, scenarioFrom } from "./served-scenario.ts";
import { drainFlag, ServingProcess } from "./serving-process.ts";
import { closeWorlds, openWorlds, serveLimitFlag, storedHosting, storeFlags, tokensOf, untilServed } from "./store.ts";
import { tracesOf } from "./traces.ts";
import { lifetimeMsMaxOf, tokenFlags } from "./trust.ts";

export const serve: Command = {
  name: "serve",
  usage: "serve [SCENARIO|FIXTURE] [flags]",
  flags: [
    portFlag(7575),
    hostFlag,
    profileFlag("release to serve (default: the scenario's, else spec)"),
    registryProfileFlag,
    ...tokenFlags,
    ...tlsFlags,
    localnetFlag,
    ...inGroup("World", [
      choiceFlag(
        "clock",
        "MODE",
        clockModes,
        "virtual time: frozen, real, or x60 for 60 times as fast (default: the scenario's)",
      ),
      textFlag("start", "TIME", "start of virtual time: now, or 2026-01-01T00:00:00Z"),
      textFlag("seed", "N", "seed of all ids (default: the scenario's)"),
    ]),
    readyFileFlag,
    drainFlag,
    corsFlag,
    ...inGroup("World", [
      rare(booleanFlag("verify-signatures", "verify signatures of parties with their keys")),
      booleanFlag("spec-only", "do not serve the additional operations"),
    ]),
    ...inGroup("Control API and inspector", [
      rare(booleanFlag("no-control", "serve neither the control API nor the inspector")),
      openFlag,
    ]),
    ...controlAccessFlags,
    noClientRulesFlag,
    ...inGroup("Check", [
      textFlag("coverage", "FOLDER", "on exit, write the API coverage of the clients to a file in this folder"),
    ]),
    ...inGroup("World", [
      rare(textFlag("world-prefix", "WORD", "prefix of the ids of forked worlds (default fork)")),
      booleanFlag("watch", "restart when the scenario or one of its fixtures changes"),
    ]),
    ...storeFlags,
    serveLimitFlag,
    logFlag,
    ...quotaFlags,
    quietFlag,
    configFlag,
  ],
  pairs: [
    { flags: ["watch"], without: "store" },
    { flags: ["quiet", "json"], without: "log" },
    { flags: ["durability", "keep-journal"], needs: "store" },
    {
      flags: ["open", "control-token", "world-prefix"],
      without: "no-control",
    },
    { flags: ["coverage"], without: "no-client-rules" },
  ],
  examples: ["understudy serve", "understudy serve scenarios/quickstart.arazzo.yaml -p 8080 --auth user --watch"],
  run: (options, environment) => withJsonLog(withLocalnet(options), environment, runServe),
};

async function runServe(options: Options, environment: Environment): Promise<number> {
  const [file, readyFile] = [servedFile(options), readyFileOf(options)];
  const process = new ServingProcess(options);
  const clock = { nowMs: () => Date.now() };
  const oauth = options.flag("oauth") ? await oauthServerOf(options, () => clock.nowMs()) : undefined;
  const log = requestLogOf(options, environment);
  const traces = await tracesOf(options, environment);
  const clientRules = clientRulesOf(options, environment, log?.findings);
  const scenario = scenarioFrom(file, options);
  checkLocalnet(options, scenario.initial);
  const limits = limitsOf(scenario, options, environment);
  const store = await storedHosting(options, environment, limits);
  const endpoint = controlEndpointOf(options, hostOf(options), tokensOf(store));
  const url = (): string => reachableUrl(server.url);
  const kept = { oauth, clientRules, limits, store, quotas: quotasOf(options), watchers: [log, traces] };
  const parts = { file, environment, process, access: endpoint.access, url, ...kept };
  const served = new ServedScenario(scenario, options, parts);
  // The later of wall clock and virtual clock: the token is valid for the client and for the stub.
  clock.nowMs = () => Math.max(Date.now(), served.hosting.worlds.get(defaultWorldId)?.world.elapse().nowMs ?? 0);
  const server = await openWorlds(served.hosting, environment, () => listen(options, environment, served, limits));
  if (options.flag("watch")) served.watch();
  const stopped = environment.stopped();
  try {
    await Promise.race([untilServed(served.hosting, store, environment), stopped]);
    const { hosting, placeholder, hasInspector } = served;
    announce(options, environment, server, { file, hosting, placeholder, hasInspector, endpoint, readyFile });
    await stopped;
    await process.drain();
  } finally {
    served.close();
    await server.close();
    await closeWorlds(served.hosting.kept, environment);
    await traces?.close();
    readyFile.remove();
  }
  summarize(served.hosting, clientRules, options, environment);
  return exitCodes.fine;
}

function clientRulesOf(
  options: Options,
  environment: Environment,
  findings: FindingLog | undefined,
): WatchedClientRules | undefined {
  return options.flag("no-client-rules") ? undefined : new WatchedClientRules(options, environment, findings);
}

/** Ends with what the run has found. */
function summarize(
  hosting: Hosting,
  clientRules: WatchedClientRules | undefined,
  options: Options,
  environment: Environment,
): void {
  clientRules?.summarize();
  saveCoverage(hosting, options, environment);
  summarizeLimits(hosting.limits.report(), options, environment);
}

function limitsOf({ profile }: Scenario, options: Options, environment: Environment): CountedLimits {
  return new CountedLimits(
    withinOpenFiles(limitsFrom(options, serveLimitFlag, bodyBytesMaxOf(profile)), options, environment),
  );
}

/** The scenario or fixture to serve: the argument, that of the config file, or the quickstart. */
function servedFile(options: Options): string {
  const [word] = options.positionals;
  if (word !== undefined && /^\d+$/.test(word) && !existsSync(resolve(options.folder, word)))
    throw new UserError(
      `${word} is a number, not a scenario or a fixture. A flag sets a number: --port ${word}, or --limit NAME=${word}.`,
    );
  if (options.positionals.length > 1)
    throw new UserError("serve takes one scenario or fixture. Start a second server for the second one.");
  return word ?? options.text("scenario") ?? packagedFile(quickstartScenario);
}

function oauthServerOf(options: Options, nowMs: () => number): Promise<OauthServer> {
  const scheme = options.text("tls-cert") === undefined ? "http" : "https";
  const [audience, scope] = [options.text("audience"), options.text("scope")];
  return createOauthServer({ nowMs, scheme, lifetimeMs: lifetimeMsMaxOf(options), audience, scope });
}
