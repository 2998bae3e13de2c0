import type { ClientChecker } from "../../../checker/engine/client-checker.ts";
import { ConsumerCoverage } from "../../../checker/engine/consumer-coverage.ts";
import type { ServedHandler } from "../../../foundation/http/handler.ts";
import type { StreamOpener } from "../../../foundation/http/message-stream.ts";
import type { RenderRefusal } from "../../../foundation/http/refused-request.ts";
import type { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { loadSpec, type ProfileNames } from "../../../foundation/spec/spec.ts";
import { instantOf } from "../../../scenarios/files/instant.ts";
import type { Scenario } from "../../../scenarios/files/load-scenario.ts";
import type { ControlAccess } from "../../../stub/control/access.ts";
import { withControl } from "../../../stub/control/control.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import type { LabelQuotas } from "../../../stub/hosting/label-quotas.ts";
import { streamOpener } from "../../../stub/hosting/streams.ts";
import { defaultWorldId } from "../../../stub/hosting/world-id.ts";
import { Inspection } from "../../../stub/inspection/inspection.ts";
import { authenticationModes } from "../../../stub/pipeline/claims.ts";
import { type OauthServer, withOauth } from "../../../stub/tokens/oauth.ts";
import { createTokenVerifier } from "../../../stub/tokens/verify-token.ts";
import { writeCoverage } from "../../library/coverage-file.ts";
import { inspectorFiles } from "../../library/files.ts";
import { hostScenario } from "../../library/host-scenario.ts";
import { realTimers } from "../../library/real-timers.ts";
import { clockModes, hostingSettings, type StubOptions, scenarioOverrides } from "../../library/understudy-options.ts";
import type { NamedFile } from "../../programs/files/named-file.ts";
import { filesOfScenario, loadScenarioFile } from "../../programs/files/scenario-file.ts";
import { reasonOf } from "../../programs/files/system-error.ts";
import { oneOf } from "../../programs/one-of.ts";
import { UserError } from "../../programs/user-error.ts";
import type { StoredHosting } from "../../stores/open-keeper.ts";
import { fileOf } from "../flags/file-of.ts";
import { profileOf, rulesOptionsOf } from "../flags/profile-flags.ts";
import { isQuiet } from "../flags/quiet-flag.ts";
import { checkedWholeNumber, seedMax } from "../flags/whole-number.ts";
import type { Environment, Options } from "../options.ts";
import type { WatchedClientRules } from "../report/watched-client-rules.ts";
import { mintLine } from "./mint-line.ts";
import type { ServingProcess } from "./serving-process.ts";
import { checkTokenFlags, trustOf } from "./trust.ts";
import { watchFiles } from "./watch-files.ts";

/** Parts of the server that do not depend on the scenario; a reload keeps them. */
interface ServerParts {
  readonly file: string;
  readonly environment: Environment;
  readonly process: ServingProcess;
  readonly access: ControlAccess;
  /** Undefined without `--oauth`. */
  readonly oauth: OauthServer | undefined;
  /** Undefined with `--no-client-rules`. */
  readonly clientRules: WatchedClientRules | undefined;
  readonly limits: CountedLimits;
  /** Undefined for worlds in memory. */
  readonly store: StoredHosting | undefined;
  /** Undefined without `--quota`. */
  readonly quotas: LabelQuotas | undefined;
  /** They report on the exchanges of a hosting. */
  readonly watchers: readonly ({ watch(hosting: Hosting): void } | undefined)[];
  /** The URL of the server. */
  readonly url: () => string;
}

/** A version of the scenario as it is served. */
interface Version {
  readonly hosting: Hosting;
  readonly placeholder: Scenario["placeholder"];
  /** Undefined with `--no-control`. */
  readonly inspection: Inspection | undefined;
  readonly handler: ServedHandler;
  /** All files of the scenario. */
  readonly files: readonly NamedFile[];
}

/** The worlds of the scenario, with control API, inspector and token server in front of them. A reload replaces all of them. */
export class ServedScenario {
  readonly #options: Options;
  readonly #parts: ServerParts;
  readonly #page: ReturnType<typeof inspectorFiles> = inspectorFiles();
  #version: Version;
  #watching: ReturnType<typeof watchFiles> | undefined;
  readonly handler: ServedHandler = (request, context) => this.#version.handler(request, context);
  readonly openStream: StreamOpener = (head) => streamOpener(this.hosting, realTimers)(head);
  readonly renderRefusal: RenderRefusal = (refused) => this.hosting.renderRefusal(refused);
  readonly noteRefused: Hosting["noteRefused"] = (request, response) => this.hosting.noteRefused(request, response);

  constructor(scenario: Scenario, options: Options, parts: ServerParts) {
    this.#options = options;
    this.#parts = parts;
    this.#version = this.#versionOf(scenario);
  }

  get hosting(): Hosting {
    return this.#version.hosting;
  }

  get placeholder(): Scenario["placeholder"] {
    return this.#version.placeholder;
  }

  get hasInspector(): boolean {
    return this.#version.inspection !== undefined && this.#page.size > 0;
  }

  /** Reloads when the scenario or one of its fixtures changes. */
  watch(): void {
    this.#watching = watchFiles(this.#version.files, () => this.reload());
  }

  /** Serves the file as it is now; if it is not valid, the previous version stays. */
  reload(): void {
    const { file, environment } = this.#parts;
    try {
      const { hosting, inspection } = this.#version;
      const forks = hosting.worlds.size - 1;
      this.#version = this.#versionOf(scenarioFrom(file, this.#options));
      saveCoverage(hosting, this.#options, environment);
      inspection?.close();
      // Streams of the earlier version would never hear of a change again.
      if (hosting.kept === undefined) hosting.close();
      this.#watching?.close();
      this.watch();
      environment.printError(`reloaded ${file}${endedForks(forks)}`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      environment.printError(`${message}\nThe stub keeps the previous version.`);
    }
  }

  /** Ends the watching of files. The worlds go on. */
  close(): void {
    this.#watching?.close();
  }

  #versionOf(scenario: Scenario): Version {
    const [options, { access, limits, process, oauth, watchers, url }] = [this.#options, this.#parts];
    const hosting = hostingFrom(scenario, options, this.#parts);
    for (const each of watchers) each?.watch(hosting);
    const hasControl = !options.flag("no-control");
    const handler = hasControl ? withControl(hosting, access, process) : hosting.handler;
    const inner = oauth === undefined ? handler : withOauth(handler, oauth);
    const inspection = hasControl
      ? new Inspection({
          source: hosting,
          access,
          page: this.#page,
          limits,
          areClientRulesOff: options.flag("no-client-rules"),
          later: setTimeout,
          mint: () => mintLine(options, url(), hosting),
          inner,
        })
      : undefined;
    const files = filesOfScenario(scenario, options);
    return { hosting, placeholder: scenario.placeholder, inspection, handler: inspection?.handler ?? inner, files };
  }
}

function endedForks(forks: number): string {
  return forks === 0 ? "" : `; ${forks} ${forks === 1 ? "fork" : "forks"} ended`;
}

/** Writes what the clients have exercised to the folder of `--coverage`. */
export function saveCoverage({ coverage, worlds }: Hosting, options: Options, environment: Environment): void {
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

/** Loads the scenario with the options of the flags. */
export function scenarioFrom(file: string, options: Options): Scenario {
  return loadScenarioFile(file, options, scenarioOverrides(stubOptionsOf(options)));
}

/** The options of a stub that the flags set. */
function stubOptionsOf(options: Options): StubOptions {
  const [seed, clock] = [options.text("seed"), options.text("clock")];
  return {
    profile: rulesOptionsOf(options).profile,
    seed: seed === undefined ? undefined : checkedWholeNumber("seed", seed, { min: 0, max: seedMax }),
    auth: oneOf("--auth", options.text("auth") ?? (options.flag("oauth") ? "jwt" : "bearer"), authenticationModes),
    start: startOf(options.text("start")),
    clock: clock === undefined ? undefined : oneOf("--clock", clock, clockModes),
    verifySignatures: options.flag("verify-signatures"),
    specOnly: options.flag("spec-only"),
  };
}

/** Hosts the scenario with the options of the flags. */
function hostingFrom(
  scenario: Scenario,
  options: Options,
  { oauth, environment, clientRules, limits, store, quotas }: ServerParts,
): Hosting {
  const stub = stubOptionsOf(options);
  const { auth = "bearer" } = stub;
  checkTokenFlags(options, auth);
  const profile = profileOf(options, scenario.profile);
  const coverage = clientRules === undefined ? undefined : new ConsumerCoverage(profile);
  return hostScenario(scenario, {
    ...hostingSettings(stub),
    profile,
    ...(auth === "jwt"
      ? { verifyToken: createTokenVerifier(trustOf(options, oauth?.keys, environment.variables)) }
      : {}),
    limits,
    later: setImmediate,
    forkPrefix: forkPrefixFrom(options),
    ...store,
    quotas,
    coverage,
    createClientRules: clientRules === undefined ? undefined : clientRulesOfWorlds(clientRules, profile, coverage),
  });
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

/** The value of `--start`; undefined without the flag. */
function startOf(text: string | undefined): StubOptions["start"] {
  if (text === undefined || text === "now") return text;
  const startMs = instantOf(text);
  if (startMs === undefined)
    throw new UserError(`--start ${text}: not a valid timestamp. Use now, or 2026-01-01T00:00:00Z, not before 1970.`);
  return new Date(startMs);
}

/** The prefix of the ids of forks; undefined for the default. */
function forkPrefixFrom(options: Options): string | undefined {
  const prefix = options.text("world-prefix");
  if (prefix !== undefined && !/^[A-Za-z0-9]{1,32}$/.test(prefix))
    throw new UserError(`--world-prefix ${prefix}: not a valid prefix. Use 1 to 32 letters and digits.`);
  return prefix;
}
