import { randomBytes } from "node:crypto";
import type { Level } from "../../../checker/engine/exchange-verdict.ts";
import { Verdict } from "../../../checker/engine/verdict.ts";
import { probes } from "../../../checker/probes/index.ts";
import { discover } from "../../../checker/probing/discovery.ts";
import { type Probe, type Safety, safeties } from "../../../checker/probing/probe.ts";
import { CreatedList } from "../../../checker/probing/probe-run.ts";
import { runProbes } from "../../../checker/probing/probing.ts";
import { type Endpoints, RateLimitedClient } from "../../../checker/probing/rate-limited-client.ts";
import { unmetRequirements } from "../../../checker/probing/required-operations.ts";
import { type Hook, type HookName, type Hooks, hookNames } from "../../../checker/probing/target.ts";
import type { ProbingReport, Report } from "../../../checker/reports/report.ts";
import { probeIdPrefix } from "../../../checker/rules/probe-ids.ts";
import { createMask, type Mask } from "../../../foundation/secrets/mask.ts";
import { maskedLengthMin } from "../../../foundation/secrets/secret-header.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { profileOfVersion } from "../../../foundation/spec/release-of-version.ts";
import { defaultProfileOf, loadSpec, type ProfileNames } from "../../../foundation/spec/spec.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import { createCallMaker } from "../../../scenarios/generation/probe-calls.ts";
import { sendOverHttp, Unreachable } from "../../../transport/client/send-over-http.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import { numberOf } from "../flags/named-numbers.ts";
import { namedProfile, profileOf } from "../flags/profile-flags.ts";
import { timeoutFlag, timeoutMsOf } from "../flags/timeout.ts";
import {
  booleanFlag,
  type Environment,
  type Flag,
  inGroup,
  type NamedNumber,
  type Options,
  rare,
  textFlag,
} from "../options.ts";
import { checkRequired, requiredOf } from "../report/gate-flags.ts";
import { limitFlag } from "../server/limit-flags.ts";
import { stopRequestOf } from "../stop-request.ts";
import { type HookOptions, runHook } from "../target/run-hook.ts";
import { UserError } from "../user-error.ts";
import { version } from "../version.ts";
import { checkContact, checkStillResponding, fetchJson } from "./contact.ts";
import { driftFlags, driftInReport } from "./drift.ts";
import { secondOpinionOf } from "./second-opinion.ts";
import { shardOf } from "./shard.ts";
import { readTarget, type TargetDescription, targetFlags } from "./target.ts";

const rateDefault = 20;

const requestsLimit: NamedNumber = {
  name: "requestsMax",
  byDefault: 500,
  min: 1,
  max: 999_999_999,
  quantity: "requests of the check",
};
const requestsLimitFlag = limitFlag([requestsLimit]);

/** Flags of a check of a live target. */
export const liveFlags: readonly Flag[] = [
  ...targetFlags,
  ...inGroup("Probes", [
    booleanFlag("writes", "also run probes that create users and parties, and vet packages"),
    rare(booleanFlag("destructive", "also run probes whose changes cannot be undone")),
    textFlag("only", "ID,…", "run these probes only; a prefix of an id is enough"),
    booleanFlag("list-probes", "list the probes; send nothing"),
    { ...timeoutFlag("time limit for a response (default 30)"), isRare: true },
    rare(textFlag("rate", "N", `requests per second at most (default ${rateDefault})`)),
    rare(textFlag("seed", "TEXT", "part of all ids that probes create (default: random)")),
  ]),
  requestsLimitFlag,
  ...driftFlags,
];

/** Flags that select a live target. */
const targetNames = ["ledger", "registry", "target"] as const;

/** Whether the check is of a live target. Recordings on the command line take precedence over a target in the environment. */
export function isLive(options: Options): boolean {
  const isNamed = targetNames.some((name) => options.isWord(name));
  return isNamed || (options.positionals.length === 0 && targetNames.some((name) => options.isSet(name)));
}

/** The first flag on the command line that only a check of a live target has. */
export function liveWord(options: Options): string | undefined {
  return liveFlags.find(({ name }) => options.isWord(name))?.name;
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
export async function checkTarget(level: Level, options: Options, environment: Environment): Promise<LiveResult> {
  const target = readTarget(options, environment);
  checkRequired(options);
  const probesOfShards = probesOf(options);
  const chosen = inShard(probesOfShards, options, environment);
  const seed = seedOf(options);
  const stop = stopRequestOf(environment, () => environment.printError(stopText));
  const endpoints = endpointsOf(target, options);
  const client = clientOf(endpoints, options, () => stop.isRequested);
  const session = { client, target, environment };
  const nodeVersion = await checkContact(session);
  const { profile, reason } = profileFor(options, target, nodeVersion);
  const prefix = `${probeIdPrefix}${seed}`;
  const apis = apisOf(target);
  const found = await discover(target.values, { apis, prefix, get: (api, path) => fetchJson(session, api, path) });
  checkStillResponding(session, apis);
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const allowed = allowedBy(options);
  const requirements = { required: requiredOf(options, spec, apis), apis, allowed, probes: probesOfShards, spec };
  const mask = createMask(secretsOf(target));
  const verdict = new Verdict(spec, mask);
  const opinion = await secondOpinionOf(options, spec);
  const created = new CreatedList();
  const drift = options.flag("no-drift") ? {} : await driftInReport(session, spec, mask);
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
    generateCalls: chosen.some(({ needs }) => needs.includes("generatedCalls"))
      ? await createCallMaker(profile)
      : undefined,
    hooks: hooksOf(target.hooks, {
      timeoutMs: timeoutMsOf(options),
      variables: hookVariables(target, environment),
      folder: environment.folder,
    }),
    startedAtMs: Date.now(),
    areAdditionalOperationsChecked: options.flag("all-operations"),
    allowed,
    ...(opinion === undefined ? {} : { onVerdict: opinion.onVerdict }),
    onProbe: ({ id }, index) => environment.progress(`probe ${index + 1} of ${chosen.length}: ${id}`),
  });
  opinion?.print(options, environment);
  // The output of a failed hook can contain a token.
  const shown = reports.map((probe) => ({
    ...probe,
    reason: probe.reason === undefined ? undefined : mask(probe.reason),
  }));
  const summary = verdict.summary();
  // After an interruption, the missing requests are no sign of a problem.
  const inconclusive = stop.isRequested ? [] : unmetRequirements(shown, summary, requirements);
  const counts = { created: created.all(), requests: client.requests - lookups, values: found.derived };
  const probing = { seed, probes: shown, ...counts, ...(inconclusive.length === 0 ? {} : { inconclusive }) };
  const isPart = shardOf(options, environment) !== undefined;
  if (summary.exchanges === 0 && !stop.isRequested && !isPart) throw nothingChecked(probing);
  const isStrict = level === "spec";
  const context = { isStrict, sources: sourcesOf(target), profileReason: reason, baseline: undefined };
  const { place } = target;
  const report = { summary, ...context, probing, ...drift, ...(place === undefined ? {} : { place }) };
  return { report, isInterrupted: stop.isRequested, mask };
}

/** The probes that the flags choose, as lines of a table or as one JSON value a line. */
export function probeLines(options: Options, environment: Environment): readonly string[] {
  const chosen = inShard(probesOf(options), options, environment);
  if (options.flag("json"))
    return chosen.map(({ id, summary, section, safety, needs, reaches }) =>
      JSON.stringify({ event: "probe", id, summary, section, safety, needs, reaches }),
    );
  const width = Math.max(...chosen.map(({ id }) => id.length));
  return chosen.map(({ id, safety, summary }) => `${id.padEnd(width)}  ${safety.padEnd(11)}  ${summary}`);
}

function nothingChecked(probing: ProbingReport): UserError {
  const byReason = Map.groupBy(probing.probes, ({ reason }) => reason ?? "no request sent");
  const reasons = [...byReason].map(([reason, probes]) => `  ${reason}: ${probes.map(({ id }) => id).join(", ")}`);
  return new UserError(["Nothing to check: no probe could run.", ...reasons].join("\n"));
}

/** The probes that the flags choose, those of other shards included, in the order of the registry. */
function probesOf(options: Options): readonly Probe[] {
  const only = options
    .text("only")
    ?.split(",")
    .map((word) => word.trim());
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
function inShard(chosen: readonly Probe[], options: Options, environment: Environment): readonly Probe[] {
  const shard = shardOf(options, environment);
  return chosen
    .filter((probe) => shard === undefined || probes.indexOf(probe) % shard.parts === shard.part)
    .toSorted((left, right) => safeties.indexOf(left.safety) - safeties.indexOf(right.safety));
}

function allowedBy(options: Options): Safety {
  const [safe, writes, destructive] = safeties;
  if (options.flag("destructive")) return destructive;
  return options.flag("writes") ? writes : safe;
}

/** The seed, which becomes a part of user ids and party hints. */
function seedOf(options: Options): string {
  const seed = options.text("seed") ?? randomBytes(4).toString("hex");
  if (!/^[A-Za-z0-9-]{1,24}$/.test(seed))
    throw new UserError(`--seed ${seed}: not a valid seed. Use 1 to 24 letters, digits and hyphens.`);
  return seed;
}

function apisOf({ baseUrls }: TargetDescription): ReadonlySet<Api> {
  return new Set((["ledger", "registry"] as const).filter((api) => baseUrls[api] !== undefined));
}

function sourcesOf({ baseUrls }: TargetDescription): readonly string[] {
  return [...new Set([baseUrls.ledger, baseUrls.registry].flatMap((baseUrl) => baseUrl ?? []))];
}

function endpointsOf(target: TargetDescription, options: Options): Endpoints {
  const { ledger, registry } = target.baseUrls;
  if (ledger === undefined && registry === undefined)
    throw new UserError("The target has no base URL. Set --ledger URL, --registry URL or both.");
  const endpoint = (baseUrl: string) => ({ baseUrl, handler: sendOverHttp(baseUrl, timeoutMsOf(options)) });
  return {
    ...(ledger === undefined ? {} : { ledger: endpoint(ledger) }),
    ...(registry === undefined ? {} : { registry: endpoint(registry) }),
  };
}

function clientOf(endpoints: Endpoints, options: Options, isStopped: () => boolean): RateLimitedClient {
  return new RateLimitedClient({
    endpoints,
    ratePerSecond: rateOf(options),
    requestsMax: numberOf(options, requestsLimitFlag, requestsLimit),
    userAgent: `canton-understudy/${version()} (check)`,
    nowMs: steadyNowMs,
    isStopped,
    wait: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
    whyUnreachable: (error) => (error instanceof Unreachable ? error.reason : undefined),
  });
}

function rateOf(options: Options): number {
  const text = options.text("rate") ?? String(rateDefault);
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text) || Number(text) <= 0)
    throw new UserError(
      `--rate ${text}: not a valid number. Use a number above 0 and below 1000000000, such as ${rateDefault} or 0.5.`,
    );
  return Number(text);
}

function profileFor(
  options: Options,
  { baseUrls }: TargetDescription,
  nodeVersion: string | undefined,
): { readonly profile: ProfileNames; readonly reason: string } {
  const named = namedProfile(options);
  if (named !== undefined) return { profile: profileOf(options, named), reason: `${named} (set by --profile)` };
  if (baseUrls.ledger === undefined) {
    const profile = profileOf(options, defaultProfileOf("ledger"));
    const isNamed = options.text("registry-profile") !== undefined;
    return {
      profile,
      reason: `${profile.registry} (${isNamed ? "set by --registry-profile" : "the default"})`,
    };
  }
  const { ledger, reason } = profileOfVersion(nodeVersion);
  return { profile: profileOf(options, ledger), reason: `${ledger} (${reason})` };
}

/** Hooks that run command lines. */
function hooksOf(commands: TargetDescription["hooks"], setting: HookOptions): Hooks {
  const hooks: Partial<Record<HookName, Hook>> = {};
  for (const name of hookNames) {
    const command = commands[name];
    if (command !== undefined) hooks[name] = (variables) => runHook(command, variables, setting);
  }
  return hooks;
}

/** Environment variables of a hook, without those of its step. */
function hookVariables({ baseUrls }: TargetDescription, { variables }: Environment): Environment["variables"] {
  return { ...variables, UNDERSTUDY_LEDGER: baseUrls.ledger, UNDERSTUDY_REGISTRY: baseUrls.registry };
}

function secretsOf({ tokens }: TargetDescription): readonly string[] {
  const { administrator, plain, expired, submitter } = tokens;
  return [administrator, plain, expired, submitter].flatMap((token) =>
    token === undefined || token.length < maskedLengthMin ? [] : [token],
  );
}
