import { Checker, type Level } from "../engine/checker.ts";
import { Verdict } from "../engine/verdict.ts";
import type { ProbeReport } from "../reports/report.ts";
import { rules } from "../rules/index.ts";
import { routeOf } from "../rules/read-exchange.ts";
import { type Probe, type Safety, safeties } from "./probe.ts";
import { HookFailed, type ProbeOptions, type ProbeRun, runProbe } from "./probe-run.ts";
import { adviceOnNeeds, hookNames, type Need } from "./target.ts";

export interface ProbingOptions extends ProbeOptions {
  readonly probes: readonly Probe[];
  /** What goes into the verdict. */
  readonly verdict: Verdict;
  readonly level: Level;
  readonly areAdditionalOperationsChecked: boolean;
  /** The least safe that is allowed. */
  readonly allowed: Safety;
  readonly apis: ReadonlySet<string>;
  /** Told before each probe. */
  onProbe(probe: Probe, index: number): void;
}

/** Runs probes one after the other, each in a trace of its own, and checks what came. */
export async function runProbes(options: ProbingOptions): Promise<readonly ProbeReport[]> {
  const reports: ProbeReport[] = [];
  for (const [index, probe] of options.probes.entries()) {
    const why = whyNot(probe, options);
    if (why === undefined) options.onProbe(probe, index);
    reports.push(why === undefined ? await runAndChecker(probe, options) : reportOf(probe, "not-run", why, []));
  }
  return reports;
}

function whyNot(probe: Probe, options: ProbingOptions): string | undefined {
  if (options.client.isStopped) return "interrupted";
  if (safeties.indexOf(probe.safety) > safeties.indexOf(options.allowed))
    return probe.safety === "writes"
      ? "changes the target: allow it by --writes"
      : "cannot be undone: allow it by --destructive";
  const missing = probe.needs.filter((need) => !isThere(need, options));
  return missing.length === 0
    ? undefined
    : `needs ${missing.map((need) => `${need} (${adviceOnNeeds[need]})`).join(" and ")}`;
}

function isThere(need: Need, { apis, tokens, values, hooks, makeUp }: ProbingOptions): boolean {
  switch (need) {
    case "madeUpCalls":
      return makeUp !== undefined;
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

async function runAndChecker(probe: Probe, options: ProbingOptions): Promise<ProbeReport> {
  const prefix = `${options.prefix}-${probe.id}`;
  const first = await runProbe(probe, prefix, options);
  const suspicions = suspicionsIn(first, options);
  if (suspicions.size === 0 || !isRepeatable(probe)) {
    checkInto(options.verdict, first, options, false);
    return reportOfRuns(probe, [first], options);
  }
  const second = await runProbe(probe, `${prefix}-again`, options);
  const again = suspicionsIn(second, options);
  checkInto(options.verdict, first, options, suspicions.isSubsetOf(again));
  checkInto(options.verdict, second, options, again.isSubsetOf(suspicions));
  return reportOfRuns(probe, [first, second], options);
}

/** What cannot be undone, or needs its owner's hand, is done once. */
function isRepeatable({ safety, needs }: Probe): boolean {
  return safety !== "destructive" && !needs.some((need) => hookNames.some((name) => name === need));
}

const quietRules: ReadonlySet<string> = new Set(
  rules.filter((rule) => rule.type === "trace" && rule.assumesExclusiveUse).map(({ id }) => id),
);

/** Rules whose findings are the same only if they are about the same user: others come and go by themselves. */
const namesSomebody: ReadonlySet<string> = new Set(["pages-complete"]);

/** Findings of which somebody else could be the reason, by fingerprint: they fail only if they come twice. */
function suspicionsIn(run: ProbeRun, options: ProbingOptions): ReadonlySet<string> {
  const trial = new Verdict(options.spec);
  checkInto(trial, run, options, true);
  const suspicious = trial
    .summary()
    .violations.filter(({ rule, outcome }) => outcome === "FAIL" && quietRules.has(rule));
  return new Set(
    suspicious.map(({ rule, fingerprint, actual }) =>
      namesSomebody.has(rule) ? `${fingerprint} ${actual}` : fingerprint,
    ),
  );
}

function checkInto(
  verdict: Verdict,
  { probe, exchanges }: ProbeRun,
  { spec, level, areAdditionalOperationsChecked }: ProbingOptions,
  isAlone: boolean,
): void {
  const checker = new Checker(
    { spec, level, areAdditionalOperationsChecked, order: "one-by-one", isAlone, probe },
    verdict,
  );
  for (const { exchange, known } of exchanges) checker.add(exchange, known);
  checker.end();
}

/** A probe that was cut short has run; one whose hook failed has not, whatever it had asked by then. */
function reportOfRuns(probe: Probe, runs: readonly ProbeRun[], options: ProbingOptions): ProbeReport {
  const reached = new Set(runs.flatMap((run) => reachedBy(run, options)));
  const halted = runs.find((run) => run.halted !== undefined)?.halted;
  const hasRun = runs.some(({ exchanges }) => exchanges.length > 0) && !(halted instanceof HookFailed);
  const why = hasRun && halted !== undefined ? `cut short: ${halted.message}` : halted?.message;
  return reportOf(probe, hasRun ? "ran" : "not-run", why, [...reached].sort());
}

function reachedBy(
  { exchanges }: ProbeRun,
  { spec, areAdditionalOperationsChecked }: ProbingOptions,
): readonly string[] {
  return exchanges.flatMap(({ exchange }) => {
    const operation = routeOf(spec, exchange)?.operation;
    const status = exchange.response.type === "response" ? exchange.response.status : 0;
    if (operation === undefined || status === 0 || (operation.isAdditional && !areAdditionalOperationsChecked))
      return [];
    return [`${operation.operationId} ${status}`];
  });
}

function reportOf(
  { id, summary, safety }: Probe,
  outcome: ProbeReport["outcome"],
  why: string | undefined,
  reached: readonly string[],
): ProbeReport {
  return { id, summary, safety, outcome, why, reached };
}
