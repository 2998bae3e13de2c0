import { routeOf } from "../../foundation/spec/route-of.ts";
import { type CheckerOptions, checkTrace } from "../engine/checker.ts";
import type { Level } from "../engine/exchange-verdict.ts";
import { Verdict } from "../engine/verdict.ts";
import { notAllowed, type ProbeReport } from "../reports/report.ts";
import { rules } from "../rules/index.ts";
import { type Probe, type Safety, safeties } from "./probe.ts";
import { HookFailure, type ProbeOptions, type ProbeRun, runProbe } from "./probe-run.ts";
import { adviceOnNeeds, hookNames, type Need } from "./target.ts";

interface ProbingOptions extends ProbeOptions {
  readonly probes: readonly Probe[];
  /** Receives the results. */
  readonly verdict: Verdict;
  readonly level: Level;
  readonly areAdditionalOperationsChecked: boolean;
  /** The least safe class of probes that may run. */
  readonly allowed: Safety;
  readonly apis: ReadonlySet<string>;
  /** Receives the verdict on each exchange. */
  readonly onVerdict?: CheckerOptions["onVerdict"] | undefined;
  /** Called before each run of a probe. */
  onProbe(probe: Probe, index: number): void;
}

/** Runs probes in sequence, each in its own trace, and checks the responses. */
export async function runProbes(options: ProbingOptions): Promise<readonly ProbeReport[]> {
  const reports: ProbeReport[] = [];
  for (const [index, probe] of options.probes.entries()) {
    const reason = skipReason(probe, options);
    if (reason === undefined) options.onProbe(probe, index);
    reports.push(reason === undefined ? await runAndCheck(probe, options) : reportOf(probe, "skipped", reason));
  }
  return reports;
}

function skipReason(probe: Probe, options: ProbingOptions): string | undefined {
  if (options.client.isStopped) return "interrupted";
  if (safeties.indexOf(probe.safety) > safeties.indexOf(options.allowed))
    return probe.safety === "writes"
      ? `${notAllowed} (allow with --writes)`
      : `${notAllowed} permanently (allow with --destructive)`;
  const missing = probe.needs.filter((need) => !isAvailable(need, options));
  return missing.length === 0
    ? undefined
    : `needs ${missing.map((need) => `${need} (${adviceOnNeeds[need]})`).join(" and ")}`;
}

function isAvailable(need: Need, { apis, tokens, values, hooks, generateCalls }: ProbingOptions): boolean {
  switch (need) {
    case "generatedCalls":
      return generateCalls !== undefined;
    case "ledger":
    case "registry":
      return apis.has(need);
    case "administratorToken":
      return tokens.administrator !== undefined;
    case "plainToken":
      return tokens.plain !== undefined;
    case "expiredToken":
      return tokens.expired !== undefined;
    case "beginReassignment":
    case "completeReassignment":
    case "createPreapproval":
    case "archivePreapproval":
      return hooks[need] !== undefined;
    default:
      return values[need] !== undefined;
  }
}

async function runAndCheck(probe: Probe, options: ProbingOptions): Promise<ProbeReport> {
  const prefix = `${options.prefix}-${probe.id}`;
  const first = await runProbe(probe, prefix, options);
  const unconfirmed = unconfirmedIn(first, options);
  if (unconfirmed.size === 0 || !isRepeatable(probe)) {
    checkInto(options.verdict, first, options, false);
    return reportOfRuns(probe, [first], options);
  }
  const second = await runProbe(probe, `${prefix}-again`, options);
  const again = unconfirmedIn(second, options);
  checkInto(options.verdict, first, options, unconfirmed.isSubsetOf(again));
  checkInto(options.verdict, second, options, again.isSubsetOf(unconfirmed));
  return reportOfRuns(probe, [first, second], options);
}

/** Destructive probes and probes with hooks run only once. */
function isRepeatable({ safety, needs }: Probe): boolean {
  return safety !== "destructive" && !needs.some((need) => hookNames.some((name) => name === need));
}

const exclusiveUseRules: ReadonlySet<string> = new Set(
  rules.filter((rule) => rule.type === "trace" && rule.assumesExclusiveUse).map(({ id }) => id),
);

/** Rules whose findings are compared by their text too, because it names the user: other clients may create and delete users. */
const comparedByText: ReadonlySet<string> = new Set(["pages-complete"]);

/** Fingerprints of failures that another client could have caused. They fail the check only if a second run repeats them. */
function unconfirmedIn(run: ProbeRun, options: ProbingOptions): ReadonlySet<string> {
  const trial = new Verdict(options.spec);
  checkInto(trial, run, { ...options, onVerdict: undefined }, true);
  const failed = trial
    .summary()
    .violations.filter(({ rule, outcome }) => outcome === "FAIL" && exclusiveUseRules.has(rule));
  return new Set(
    failed.map(({ rule, fingerprint, actual }) =>
      comparedByText.has(rule) ? `${fingerprint} ${actual}` : fingerprint,
    ),
  );
}

function checkInto(
  verdict: Verdict,
  { probe, exchanges }: ProbeRun,
  { spec, level, areAdditionalOperationsChecked, onVerdict = () => undefined }: ProbingOptions,
  isExclusive: boolean,
): void {
  checkTrace(exchanges, { spec, level, areAdditionalOperationsChecked, isExclusive, probe, onVerdict }, verdict);
}

/** A probe that ended early counts as run. A probe with a failed hook counts as skipped. */
function reportOfRuns(probe: Probe, runs: readonly ProbeRun[], options: ProbingOptions): ProbeReport {
  const reached = new Set(runs.flatMap((run) => reachedBy(run, options)));
  const halted = runs.find((run) => run.halted !== undefined)?.halted;
  const hasRun = runs.some(({ exchanges }) => exchanges.length > 0) && !(halted instanceof HookFailure);
  const reason = hasRun && halted !== undefined ? `ended early: ${halted.message}` : halted?.message;
  const times = runs.flatMap(({ exchanges }) => exchanges.map(({ exchange }) => exchange.durationMs));
  const responseTimeMs = Math.round(times.reduce((sum, timeMs) => sum + timeMs, 0));
  return { ...reportOf(probe, hasRun ? "run" : "skipped", reason), reached: [...reached].sort(), responseTimeMs };
}

function reachedBy(
  { exchanges }: ProbeRun,
  { spec, areAdditionalOperationsChecked }: ProbingOptions,
): readonly string[] {
  return exchanges.flatMap(({ exchange }) => {
    const operation = routeOf(spec, exchange.request)?.operation;
    const status = exchange.response.type === "response" ? exchange.response.status : 0;
    if (operation === undefined || status === 0 || (operation.isAdditional && !areAdditionalOperationsChecked))
      return [];
    return [`${operation.operationId} ${status}`];
  });
}

function reportOf(
  { id, summary, safety }: Probe,
  outcome: ProbeReport["outcome"],
  reason: string | undefined,
): ProbeReport {
  return { id, summary, safety, outcome, reason, reached: [] };
}
