import type { JSONWebKeySet } from "jose";
import type { ClientChecker } from "../../../checker/engine/client-checker.ts";
import { ConsumerCoverage } from "../../../checker/engine/consumer-coverage.ts";
import type { Handler } from "../../../foundation/http/handler.ts";
import { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { limitNames } from "../../../foundation/limits/limits.ts";
import { bodyBytesMaxOf, loadSpec, type ProfileNames } from "../../../foundation/spec/spec.ts";
import { instantOf } from "../../../scenarios/files/instant.ts";
import type { Scenario } from "../../../scenarios/files/load-scenario.ts";
import { clockModeOf } from "../../../scenarios/files/load-scenario.ts";
import type { ControlAccess } from "../../../stub/control/access.ts";
import { withControl } from "../../../stub/control/control.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import type { LabelQuotas } from "../../../stub/hosting/label-quotas.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import { Inspection, type InspectionOptions } from "../../../stub/inspection/inspection.ts";
import { authenticationModes } from "../../../stub/pipeline/claims.ts";
import { createOauthServer, type OauthServer, withOauth } from "../../../stub/tokens/oauth.ts";
import { createTokenVerifier } from "../../../stub/tokens/verify-token.ts";
import { writeCoverage } from "../../library/coverage-file.ts";
import { inspectorFiles, packagedFile, quickstartScenario } from "../../library/files.ts";
import { hostScenario } from "../../library/host-scenario.ts";
import { reachableUrl } from "../../library/own-address.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import type { StoredHosting } from "../../stores/open-keeper.ts";
import { fileOf, type NamedFile } from "../files/named-file.ts";
import { filesOfScenario, loadScenarioFile } from "../files/scenario-file.ts";
import { reasonOf } from "../files/system-error.ts";
import { oneOf } from "../flags/one-of.ts";
import { ledgerProfile, namedProfile, profileFlag, profileOf, registryProfileFlag } from "../flags/profile-flags.ts";
import { isQuiet, quietFlag } from "../flags/quiet-flag.ts";
import { corsFlag, hostFlag, portFlag, readyFileFlag, tlsFlags } from "../flags/server-flags.ts";
import { checkedWholeNumber, seedMax } from "../flags/whole-number.ts";
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
import { limitFlag, limitsFrom, summarizeLimits } from "../server/limit-flags.ts";
import { listen } from "../server/listen.ts";
import { withinOpenFiles } from "../server/open-files.ts";
import { openFlag } from "../server/open-inspector.ts";
import { readyFileOf } from "../server/ready-file.ts";
import { exitCodes, UserError } from "../user-error.ts";
import { logFlag, requestLogOf, withJsonLog } from "./log.ts";
import { mintLine } from "./mint-line.ts";
import { quotaFlags, quotasOf } from "./quotas.ts";
import { announce } from "./ready-message.ts";
import { drainFlag, ServingProcess } from "./serving-process.ts";
import { closeWorlds, openWorlds, storedHosting, storeFlags, tokensOf, untilServed } from "./store.ts";
import { tracesOf } from "./traces.ts";
import { checkTokenFlags, lifetimeMsMaxOf, tokenFlags, trustOf } from "./trust.ts";
import { watchFiles } from "./watch-files.ts";

const clockModes = ["frozen", "real", "x60"] as const;

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
    limitFlag,
    logFlag,
    ...quotaFlags,
    quietFlag,
    configFlag,
  ],
  pairs: [
    { flags: ["watch"], without: "store" },
    { flags: ["quiet", "json"], without: "log" },
    { flags: ["durability", "lease", "keep-journal"], needs: "store" },
    { flags: ["keep-journal-size"], needs: "keep-journal" },
    {
      flags: ["open", "control-token", "world-prefix"],
      without: "no-control",
    },
    { flags: ["coverage"], without: "no-client-rules" },
  ],
  examples: ["understudy serve", "understudy serve scenarios/quickstart.arazzo.yaml -p 8080 --auth user --watch"],
  run: (options, environment) => withJsonLog(options, environment, runServe),
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
  const limits = limitsOf(scenario, options, environment);
  const store = await storedHosting(options, environment, limits);
  const parts = { keys: oauth?.keys, clientRules, limits, store, quotas: quotasOf(options) };
  let served = servedFrom(scenario, options, parts);
  for (const each of [log, traces]) each?.watch(served.hosting);
  // The later of wall clock and virtual clock: the token is valid for the client and for the stub.
  clock.nowMs = () => Math.max(Date.now(), served.hosting.worlds.get(defaultWorldId)?.world.elapse().nowMs ?? 0);
  const endpoint = controlEndpointOf(options, hostOf(options), tokensOf(store));
  let handler = handlerOf(served.hosting, options, endpoint.access, process);
  const inner = withTokenServer(oauth, (request, context) => handler(request, context));
  const mint = () => mintLine(options, reachableUrl(server.url), served.hosting);
  const inspected = { inner, page: inspectorFiles(), access: endpoint.access, mint };
  let inspection = options.flag("no-control") ? undefined : inspectionOf(served.hosting, options, inspected);
  const outer: Parameters<typeof listen>[2] = {
    handler: (request, context) => (inspection?.handler ?? inner)(request, context),
    renderRefusal: (refused) => served.hosting.renderRefusal(refused),
  };
  const server = await openWorlds(served.hosting, environment, () => listen(options, environment, outer, limits));
  let watching = options.flag("watch") ? watchFiles(served.files, reload) : undefined;
  const stopped = environment.stopped();
  try {
    await Promise.race([untilServed(served.hosting, store, environment), stopped]);
    const hasInspector = inspection !== undefined && inspected.page.size > 0;
    announce(options, environment, server, { ...served, file, hasInspector, endpoint, readyFile });
    await stopped;
    await process.drain();
  } finally {
    watching?.close();
    await server.close();
    await closeWorlds(served.hosting.kept, environment);
    await traces?.close();
    readyFile.remove();
  }
  summarize(served.hosting, clientRules, options, environment);
  return exitCodes.fine;

  function reload(): void {
    try {
      const forks = served.hosting.worlds.size - 1;
      const reloaded = servedFrom(scenarioFrom(file, options), options, parts);
      saveCoverage(served.hosting, options, environment);
      served = reloaded;
      for (const each of [log, traces]) each?.watch(served.hosting);
      watching?.close();
      watching = watchFiles(served.files, reload);
      handler = handlerOf(served.hosting, options, endpoint.access, process);
      inspection?.close();
      inspection = inspection === undefined ? undefined : inspectionOf(served.hosting, options, inspected);
      environment.printError(`reloaded ${file}${endedForks(forks)}`);
    } catch (error) {
      environment.printError(`${messageOf(error)}\nThe stub keeps the previous version.`);
    }
  }
}

function clientRulesOf(
  options: Options,
  environment: Environment,
  findings: FindingLog | undefined,
): WatchedClientRules | undefined {
  return options.flag("no-client-rules") ? undefined : new WatchedClientRules(options, environment, findings);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function endedForks(forks: number): string {
  return forks === 0 ? "" : `; ${forks} ${forks === 1 ? "fork" : "forks"} ended`;
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
    withinOpenFiles(limitsFrom(options, limitNames, bodyBytesMaxOf(profile)), options, environment),
  );
}

/** The scenario or fixture to serve: the argument, that of the config file, or the quickstart. */
function servedFile(options: Options): string {
  if (options.positionals.length > 1)
    throw new UserError("serve takes one scenario or fixture. Start a second server for the second one.");
  return options.positionals[0] ?? options.text("scenario") ?? packagedFile(quickstartScenario);
}

/** Writes what the clients have exercised to the folder of `--coverage`. */
function saveCoverage({ coverage, worlds }: Hosting, options: Options, environment: Environment): void {
  const folder = fileOf("coverage", options);
  if (folder === undefined || coverage === undefined) return;
  // Exchanges are counted when no client waits; a report counts those that wait.
  for (const { clientRules } of worlds.values()) clientRules?.report();
  try {
    if (writeCoverage(coverage, folder.path) !== undefined && !isQuiet(options))
      environment.printError(`Coverage is written. Report: understudy check coverage ${folder.name}`);
  } catch (error) {
    environment.printError(`--coverage ${folder.name}: coverage cannot be written (${reasonOf(error)}).`);
  }
}

function inspectionOf(
  hosting: Hosting,
  options: Options,
  parts: Pick<InspectionOptions, "inner" | "page" | "access" | "mint">,
): Inspection {
  const { limits } = hosting;
  const areClientRulesOff = options.flag("no-client-rules");
  return new Inspection({ source: hosting, limits, areClientRulesOff, later: setTimeout, ...parts });
}

/** The handler of a hosting, with the control API unless `--no-control` is given. */
function handlerOf(
  hosting: Hosting,
  options: Options,
  access: ControlAccess,
  process: ServingProcess,
): Hosting["handler"] {
  return options.flag("no-control") ? hosting.handler : withControl(hosting, access, process);
}

interface Served {
  readonly hosting: Hosting;
  readonly placeholder: Scenario["placeholder"];
  /** All files of the scenario. */
  readonly files: readonly NamedFile[];
}

/** Parts of the server that do not depend on the scenario; a reload keeps them. */
interface ServerParts {
  readonly keys: JSONWebKeySet | undefined;
  /** Undefined with `--no-client-rules`. */
  readonly clientRules: WatchedClientRules | undefined;
  readonly limits: CountedLimits;
  /** Undefined for worlds in memory. */
  readonly store: StoredHosting | undefined;
  /** Undefined without `--quota`. */
  readonly quotas: LabelQuotas | undefined;
}

/** Loads the scenario with the options of the flags. */
function scenarioFrom(file: string, options: Options): Scenario {
  const [seed, requested] = [options.text("seed"), namedProfile(options)];
  return loadScenarioFile(file, options, {
    startMs: startOf(options.text("start")),
    seed: seed === undefined ? undefined : checkedWholeNumber("seed", seed, { min: 0, max: seedMax }),
    profile: requested === undefined ? undefined : ledgerProfile(requested),
  });
}

/** Hosts the scenario with the options of the flags. */
function servedFrom(
  scenario: Scenario,
  options: Options,
  { keys, clientRules, limits, store, quotas }: ServerParts,
): Served {
  const authentication = oneOf(
    "auth",
    options.text("auth") ?? (keys === undefined ? "bearer" : "jwt"),
    authenticationModes,
  );
  checkTokenFlags(options, authentication);
  const clock = options.text("clock");
  const profile = profileOf(options, scenario.profile);
  const coverage = clientRules === undefined ? undefined : new ConsumerCoverage(profile);
  const hosting = hostScenario(scenario, {
    profile,
    auth: authentication,
    ...(authentication === "jwt" ? { verifyToken: createTokenVerifier(trustOf(options, keys)) } : {}),
    areSignaturesVerified: options.flag("verify-signatures"),
    limits,
    hasAdditionalOperations: !options.flag("spec-only"),
    startsNow: options.text("start") === "now",
    ...(clock === undefined ? {} : { clockMode: clockModeOf(oneOf("clock", clock, clockModes)) }),
    wallNowMs: Date.now,
    steadyNowMs,
    later: setImmediate,
    forkPrefix: forkPrefixFrom(options),
    ...store,
    quotas,
    coverage,
    createClientRules: clientRules === undefined ? undefined : clientRulesOfWorlds(clientRules, profile, coverage),
  });
  return { hosting, placeholder: scenario.placeholder, files: filesOfScenario(scenario, options) };
}

/** Client rules of a world. They treat all its requests as those of one consumer. */
function clientRulesOfWorlds(
  clientRules: WatchedClientRules,
  profile: ProfileNames,
  coverage: ConsumerCoverage | undefined,
): (worldId: string, settings: { readonly isWhole: boolean }) => ClientChecker {
  return (worldId, { isWhole }) => {
    const spec = loadSpec(profile, { hasAdditionalOperations: true });
    const settings = { spec, order: "one-by-one", isWhole, isOneWorld: true, coverage } as const;
    return clientRules.check(settings, worldId === defaultWorldId ? undefined : worldId);
  };
}

function oauthServerOf(options: Options, nowMs: () => number): Promise<OauthServer> {
  const scheme = options.text("tls-cert") === undefined ? "http" : "https";
  return createOauthServer(nowMs, scheme, lifetimeMsMaxOf(options));
}

function withTokenServer(oauth: OauthServer | undefined, handler: Handler): Handler {
  return oauth === undefined ? handler : withOauth(handler, oauth);
}

/** The time of `--start` in milliseconds; undefined without the flag. */
function startOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const startMs = text === "now" ? Date.now() : instantOf(text);
  if (startMs === undefined)
    throw new UserError(`--start ${text}: not a valid timestamp. Use now, or 2026-01-01T00:00:00Z, not before 1970.`);
  return startMs;
}

/** The prefix of the ids of forks; undefined for the default. */
function forkPrefixFrom(options: Options): string | undefined {
  const prefix = options.text("world-prefix");
  if (prefix !== undefined && !/^[A-Za-z0-9]{1,32}$/.test(prefix))
    throw new UserError(`--world-prefix ${prefix}: not a valid prefix. Use 1 to 32 letters and digits.`);
  return prefix;
}
