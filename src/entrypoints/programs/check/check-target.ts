import { randomBytes } from "node:crypto";
import { Verdict } from "../../../checker/engine/verdict.ts";
import { probes } from "../../../checker/probes/index.ts";
import { discover } from "../../../checker/probing/discovery.ts";
import { type Probe, type Safety, safeties } from "../../../checker/probing/probe.ts";
import { CreatedList } from "../../../checker/probing/probe-run.ts";
import { runProbes } from "../../../checker/probing/probing.ts";
import { type Endpoints, RateLimitedClient } from "../../../checker/probing/rate-limited-client.ts";
import { unmetRequirements } from "../../../checker/probing/required-operations.ts";
import { type Hook, type HookName, type Hooks, hookNames } from "../../../checker/probing/target.ts";
import type { ProbeReport, ProbingReport, Report } from "../../../checker/reports/report.ts";
import { probeIdPrefix } from "../../../checker/rules/probe-ids.ts";
import { createMask, type Mask } from "../../../foundation/secrets/mask.ts";
import { maskedLengthMin } from "../../../foundation/secrets/secret-header.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { profileOfVersion } from "../../../foundation/spec/release-of-version.ts";
import { defaultProfileOf, loadSpec, type ProfileNames } from "../../../foundation/spec/spec.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import { createCallMaker } from "../../../scenarios/generation/probe-calls.ts";
import { type ClientLimits, sendOverHttp, Unreachable } from "../../../transport/client/send-over-http.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import type { Given, ProgramCaller } from "../caller.ts";
import { type GivenRules, levelOf, releasesOf } from "../releases.ts";
import { stopRequestOf } from "../stop-request.ts";
import { runHook } from "../target/run-hook.ts";
import { exitCodes, UserError } from "../user-error.ts";
import { version } from "../version.ts";
import type { TargetCheckOptions } from "./check-options.ts";
import { checkContact, checkStillResponding, fetchJson } from "./contact.ts";
import { driftInReport } from "./drift.ts";
import { checkRequired, requiredOf } from "./required.ts";
import { createSecondOpinion, type SecondOpinion } from "./second-opinion.ts";
import type { Shard } from "./shard.ts";
import type { TargetDescription } from "./target.ts";

/** Requests per second and in all, and seconds for a response, where the options name none. */
export const targetDefaults = { rate: 20, requestsMax: 1000, timeout: 30 } as const;

/** Options of a check of a live target. */
export interface TargetCheck
  extends Given<Pick<TargetCheckOptions, "writes" | "destructive" | "rate" | "seed" | "timeout">>,
    GivenRules {
  readonly require?: readonly string[] | undefined;
  /** Ids of probes, or their beginnings. */
  readonly only?: readonly string[] | undefined;
  readonly requestsMax?: number | undefined;
  /** For a target that requires a client certificate. */
  readonly certificate?: ClientLimits["certificate"];
  /** Whether the OpenAPI description of the ledger is not compared with the profile. */
  readonly noDrift?: boolean | undefined;
  readonly shard?: Shard | undefined;
  /** Receives what only Prism or the checker found. */
  readonly onSecondOpinion?: ((opinion: SecondOpinion) => void) | undefined;
}

/** The report of a check, and whether the user interrupted it. */
export interface LiveResult {
  readonly report: Report;
  readonly isInterrupted: boolean;
  /** Masks the tokens of the target. */
  readonly mask: Mask;
}

const stopText = "The check stops after the request in flight. Ctrl-C again ends it at once, without a report.";

/** Runs the probes against a live target and checks its responses. */
export async function checkTarget(
  target: TargetDescription,
  options: TargetCheck,
  caller: ProgramCaller,
): Promise<LiveResult> {
  checkRequired(options, caller);
  const level = levelOf(options);
  const apis = apisOf(target);
  const probesOfShards = probesNamed(options.only).filter((probe) => isAsked(probe, apis, options));
  const chosen = inShard(probesOfShards, options.shard);
  const seed = seedOf(options, caller);
  const stop = stopRequestOf(caller, () => caller.printError(stopText));
  const timeoutMs = (options.timeout ?? targetDefaults.timeout) * 1000;
  const network = { timeoutMs, variables: caller.variables, certificate: options.certificate };
  const endpoints = endpointsOf(target, network, caller);
  const client = clientOf(endpoints, options, () => stop.isRequested);
  const session = { client, target, caller };
  const contact = await checkContact(session);
  const { profile, reason } = profileFor(options, target, contact, caller);
  const prefix = `${probeIdPrefix}${seed}`;
  const found = await discover(target.values, { apis, prefix, get: (api, path) => fetchJson(session, api, path) });
  checkStillResponding(session, apis);
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const allowed = allowedBy(options);
  const requirements = {
    required: requiredOf(options, spec, apis, caller),
    apis,
    allowed,
    probes: probesOfShards,
    spec,
  };
  const mask = createMask(secretsOf(target));
  const verdict = new Verdict(spec, mask);
  const opinion = options.onSecondOpinion === undefined ? undefined : await createSecondOpinion(spec, caller);
  const created = new CreatedList();
  const areCallsGenerated = chosen.some(({ needs }) => needs.includes("generatedCalls"));
  const drift = options.noDrift === true ? {} : await driftInReport(session, spec, mask);
  const lookups = client.requests;
  const reports = await runProbes({
    client,
    spec,
    verdict,
    created,
    level,
    prefix,
    apis,
    probes: chosen,
    tokens: target.tokens,
    values: found.values,
    connectedSynchronizers: found.connectedSynchronizers,
    generateCalls: areCallsGenerated ? await createCallMaker(profile) : undefined,
    hooks: hooksOf(target, timeoutMs, caller),
    startedAtMs: Date.now(),
    areAdditionalOperationsChecked: options.allOperations === true,
    allowed,
    ...(opinion === undefined ? {} : { onVerdict: opinion.onVerdict }),
    onProbe: ({ id }, index) => caller.progress(`probe ${index + 1} of ${chosen.length}: ${id}`),
  });
  if (opinion !== undefined) options.onSecondOpinion?.(opinion);
  const shown = reports.map((probe) => withoutSecrets(probe, mask));
  const summary = verdict.summary();
  // After an interruption, the missing requests are no sign of a problem.
  const inconclusive = stop.isRequested ? [] : unmetRequirements(shown, summary, requirements);
  const counts = { created: created.all(), requests: client.requests - lookups, values: found.derived };
  const probing = { seed, probes: shown, ...counts, ...(inconclusive.length === 0 ? {} : { inconclusive }) };
  if (summary.exchanges === 0 && !stop.isRequested && options.shard === undefined) throw nothingChecked(probing);
  const isStrict = level === "spec";
  const report = { ...contextOf(target), summary, isStrict, profileReason: reason, probing, ...drift };
  return { report, isInterrupted: stop.isRequested, mask };
}

/** What a report says of its target. */
function contextOf({ baseUrls, place }: TargetDescription): Pick<Report, "sources" | "baseline" | "place"> {
  const sources = [...new Set([baseUrls.ledger, baseUrls.registry].flatMap((baseUrl) => baseUrl ?? []))];
  return { sources, baseline: undefined, ...(place === undefined ? {} : { place }) };
}

/** The output of a failed hook can contain a token. */
function withoutSecrets(probe: ProbeReport, mask: Mask): ProbeReport {
  return { ...probe, reason: probe.reason === undefined ? undefined : mask(probe.reason) };
}

function nothingChecked(probing: ProbingReport): UserError {
  const byReason = Map.groupBy(probing.probes, ({ reason }) => reason ?? "no request sent");
  const reasons = [...byReason].map(([reason, probes]) => `  ${reason}: ${probes.map(({ id }) => id).join(", ")}`);
  return new UserError(["Nothing to check: no probe could run.", ...reasons].join("\n"), exitCodes.incomplete);
}

/** Whether the target has the APIs of a probe, or the options name the probe. */
function isAsked({ needs }: Probe, apis: ReadonlySet<Api>, { only }: TargetCheck): boolean {
  return only !== undefined || (["ledger", "registry"] as const).every((api) => !needs.includes(api) || apis.has(api));
}

/** The probes whose ids begin with one of the words, or all, in the order of the registry. */
export function probesNamed(only: readonly string[] | undefined): readonly Probe[] {
  const unknown = only?.find((word) => !probes.some(({ id }) => id.startsWith(word)));
  if (unknown !== undefined) {
    const ids = probes.map(({ id }) => id);
    throw new UserError(
      `There is no probe ${JSON.stringify(unknown)}. ${advise(unknown, ids, "understudy check --list-probes lists all.")}`,
    );
  }
  return only === undefined ? probes : probes.filter(({ id }) => only.some((word) => id.startsWith(word)));
}

/** The probes of the shard, safe ones first. */
export function inShard(chosen: readonly Probe[], shard: Shard | undefined): readonly Probe[] {
  return chosen
    .filter((probe) => shard === undefined || probes.indexOf(probe) % shard.parts === shard.part)
    .toSorted((left, right) => safeties.indexOf(left.safety) - safeties.indexOf(right.safety));
}

function allowedBy(options: TargetCheck): Safety {
  const [safe, writes, destructive] = safeties;
  if (options.destructive === true) return destructive;
  return options.writes === true ? writes : safe;
}

/** The seed, which becomes a part of user ids and party hints. */
function seedOf(options: TargetCheck, { nameOf }: ProgramCaller): string {
  const seed = options.seed ?? randomBytes(4).toString("hex");
  if (!/^[A-Za-z0-9-]{1,24}$/.test(seed))
    throw new UserError(`${nameOf("seed")} ${seed}: not a valid seed. Use 1 to 24 letters, digits and hyphens.`);
  return seed;
}

function apisOf({ baseUrls }: TargetDescription): ReadonlySet<Api> {
  return new Set((["ledger", "registry"] as const).filter((api) => baseUrls[api] !== undefined));
}

function endpointsOf(target: TargetDescription, client: ClientLimits, { nameOf }: ProgramCaller): Endpoints {
  const { ledger, registry } = target.baseUrls;
  if (ledger === undefined && registry === undefined)
    throw new UserError(`The target has no base URL. Set ${nameOf("ledger")}, ${nameOf("registry")} or both.`);
  const endpoint = (baseUrl: string) => ({ baseUrl, handler: sendOverHttp(baseUrl, client) });
  return {
    ...(ledger === undefined ? {} : { ledger: endpoint(ledger) }),
    ...(registry === undefined ? {} : { registry: endpoint(registry) }),
  };
}

function clientOf(endpoints: Endpoints, options: TargetCheck, isStopped: () => boolean): RateLimitedClient {
  return new RateLimitedClient({
    endpoints,
    ratePerSecond: options.rate ?? targetDefaults.rate,
    requestsMax: options.requestsMax ?? targetDefaults.requestsMax,
    userAgent: `canton-understudy/${version()} (check)`,
    nowMs: steadyNowMs,
    isStopped,
    wait: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
    whyUnreachable: (error) => (error instanceof Unreachable ? error : undefined),
  });
}

function profileFor(
  options: TargetCheck,
  { baseUrls }: TargetDescription,
  { nodeVersion, isVendorRegistry }: Awaited<ReturnType<typeof checkContact>>,
  { nameOf, printError }: ProgramCaller,
): { readonly profile: ProfileNames; readonly reason: string } {
  const { profile: named, registryProfile } = options;
  const ofVersion = baseUrls.ledger === undefined ? undefined : profileOfVersion(nodeVersion);
  const found = releasesOf(options, ofVersion?.ledger ?? defaultProfileOf("ledger"));
  const isExcused = registryProfile !== undefined || !isVendorRegistry || found.registry === "spec";
  const profile: ProfileNames = isExcused ? found : { ...found, registry: "spec" };
  if (!isExcused)
    printError(
      `The registry does not say that it is Splice's, so it is checked against the spec. To accept the known divergences of Splice, set ${nameOf("registryProfile")} ${found.registry}.`,
    );
  if (named !== undefined) return { profile, reason: `${named} (set by ${nameOf("profile")})` };
  if (ofVersion !== undefined) return { profile, reason: `${ofVersion.ledger} (${ofVersion.reason})` };
  const defaultSource = isExcused ? "the default" : "not Splice's";
  const source = registryProfile === undefined ? defaultSource : `set by ${nameOf("registryProfile")}`;
  return { profile, reason: `${profile.registry} (${source})` };
}

/** Hooks that run command lines, with the base URLs in their environment. */
function hooksOf({ hooks: commands, baseUrls }: TargetDescription, timeoutMs: number, caller: ProgramCaller): Hooks {
  const { ledger, registry } = baseUrls;
  const variables = { ...caller.variables, UNDERSTUDY_LEDGER: ledger, UNDERSTUDY_REGISTRY: registry };
  const hooks: Partial<Record<HookName, Hook>> = {};
  for (const name of hookNames) {
    const hook = commands[name];
    if (hook === undefined) continue;
    const { command, folder } = hook;
    hooks[name] = (given) => runHook(command, given, { timeoutMs, variables, folder });
  }
  return hooks;
}

function secretsOf({ tokens }: TargetDescription): readonly string[] {
  const { administrator, plain, expired, submitter } = tokens;
  return [administrator, plain, expired, submitter].flatMap((token) =>
    token === undefined || token.length < maskedLengthMin ? [] : [token],
  );
}
