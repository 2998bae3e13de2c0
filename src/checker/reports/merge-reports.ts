import { compareOutcomes } from "../engine/exchange-verdict.ts";
import type { TraceCoverage } from "../engine/trace.ts";
import {
  type CheckedOperation,
  type CountedViolation,
  type Coverage,
  type VerdictSummary,
  violationsKeptMax,
} from "../engine/verdict.ts";
import type { DriftReport } from "./drift.ts";
import type { BaselineReport, ProbeReport, ProbingReport, Report } from "./report.ts";

type MergedReports =
  | { readonly type: "merged"; readonly report: Report }
  /** `problem` names the differing reports, as `report 2 …`, or the shards; `advice` is a sentence. */
  | { readonly type: "refused"; readonly problem: string; readonly advice: string };

/** Merges reports of shards, or of any checks with the same profile and strictness, into one. */
export function mergeReports(reports: readonly [Report, ...Report[]]): MergedReports {
  const [first] = reports;
  const misfits = reports.flatMap((report, index) => {
    const difference = differenceOf(first, report);
    return difference === undefined ? [] : [`report ${index + 1} ${difference}`];
  });
  const problems = [
    [misfits, "Run all checks with the same profile, --strict or not, and the same baseline."],
    [shardProblemsIn(reports), "Pass the report of every shard exactly once."],
    [
      sizeProblemsIn(reports),
      "Check all shards again, on a recording that nothing writes: stop the recording first, or check a copy.",
    ],
    [clientProblemsIn(reports), "Run these checks without --client-rules, or keep their reports apart."],
  ] as const;
  for (const [found, advice] of problems)
    if (found.length > 0) return { type: "refused", problem: found.join("; "), advice };
  const incomplete = [...new Set(reports.flatMap((report) => report.incomplete ?? []))];
  const { config, place } = first;
  const report = {
    ...(incomplete.length === 0 ? {} : { incomplete }),
    ...(config === undefined ? {} : { config }),
    ...(place === undefined ? {} : { place }),
    summary: mergedSummary(
      reports.map(({ summary }) => summary),
      first.summary,
    ),
    isStrict: first.isStrict,
    sources: inOrder(reports.map(({ sources }) => sources)),
    profileReason: first.profileReason,
    probing: mergedProbing(reports.flatMap(({ probing }) => probing ?? [])),
    ...mergedDrift(reports.flatMap(({ drift }) => drift ?? [])),
    baseline: mergedBaseline(reports.flatMap(({ baseline }) => baseline ?? [])),
  };
  return { type: "merged", report };
}

function differenceOf(first: Report, other: Report): string | undefined {
  const [profile, otherProfile] = [first, other].map(({ summary }) => Object.values(summary.profile).join(" and "));
  if (profile !== otherProfile) return `has profile ${otherProfile}, the first has ${profile}`;
  if (first.isStrict !== other.isStrict) return `is ${strictness(other)}, the first is ${strictness(first)}`;
  const [file, otherFile] = [first.baseline?.file, other.baseline?.file];
  if (file !== otherFile)
    return `has ${otherFile === undefined ? "no baseline" : `baseline ${otherFile}`}, the first has ${file ?? "none"}`;
  return undefined;
}

function strictness({ isStrict }: Report): string {
  return isStrict ? "strict (--strict)" : "not strict";
}

function clientProblemsIn(reports: readonly Report[]): readonly string[] {
  const hasFindings = reports.some(({ clientRules }) => clientRules !== undefined);
  return hasFindings ? ["a report has client findings, which are not merged"] : [];
}

/** The shards of each check. Shards with the same sources and the same total belong to one check. */
function shardedChecks(reports: readonly Report[]) {
  const shards = reports.flatMap(({ shard, sources }) => (shard === undefined ? [] : [{ ...shard, sources }]));
  return [...Map.groupBy(shards, (shard) => JSON.stringify([shard.of, shard.sources])).values()];
}

/** Recordings that changed between two shards: the parts of different sizes do not meet, and exchanges may be in none. */
function sizeProblemsIn(reports: readonly Report[]): readonly string[] {
  return shardedChecks(reports).flatMap((shards) => {
    const sizes = shards.flatMap(({ index, of, recordings = [] }) =>
      recordings.map((recording) => ({ ...recording, shard: `shard ${index} of ${of}` })),
    );
    return [...Map.groupBy(sizes, ({ file }) => file).values()].flatMap(([first, ...others]) => {
      const other = others.find(({ bytes }) => bytes !== first?.bytes);
      if (first === undefined || other === undefined) return [];
      return [`${first.file} had ${first.bytes} bytes for ${first.shard}, and ${other.bytes} bytes for ${other.shard}`];
    });
  });
}

/** Missing and repeated shards. */
function shardProblemsIn(reports: readonly Report[]): readonly string[] {
  return shardedChecks(reports).flatMap((parts) => {
    const [{ of, sources } = { of: 0, sources: [] }] = parts;
    const given = Map.groupBy(parts, ({ index }) => index);
    const missing = Array.from({ length: of }, (_, place) => place + 1).filter((index) => !given.has(index));
    const repeated = [...given].filter(([, same]) => same.length > 1).map(([index]) => index);
    const whole = `of ${of} of ${sources.join(" and ")}`;
    return [...shardProblem(missing, whole, "missing"), ...shardProblem(repeated, whole, "given more than once")];
  });
}

function shardProblem(indices: readonly number[], whole: string, state: string): readonly string[] {
  if (indices.length === 0) return [];
  const [shown, more] = [indices.slice(0, gapsShownMax), indices.length - gapsShownMax];
  const list = `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    `${indices.length === 1 ? "shard" : "shards"} ${list} ${whole} ${indices.length === 1 ? "is" : "are"} ${state}`,
  ];
}

/** Shards that a message lists. */
const gapsShownMax = 10;

function mergedSummary(summaries: readonly VerdictSummary[], { profile }: VerdictSummary): VerdictSummary {
  const sum = (countOf: (summary: VerdictSummary) => number) => sumOf(summaries.map(countOf));
  const matrix = counted(
    summaries.flatMap((summary) => summary.matrix),
    ({ operationId, status, rule, outcome }) => `${operationId} ${status} ${rule} ${outcome}`,
  );
  // The violation with the worst outcome represents its kind, as in a verdict on all exchanges.
  const worstFirst = summaries
    .flatMap(({ violations }) => violations)
    .sort((left, right) => compareOutcomes(right.outcome, left.outcome));
  const kinds = counted(worstFirst, ({ fingerprint }) => fingerprint);
  const observed = new Set(
    matrix
      .filter(({ status }) => status > 0)
      .flatMap(({ operationId, status }) => [operationId, `${operationId} ${status}`]),
  );
  const notChecked = counted(
    summaries.flatMap((summary) => summary.notChecked ?? []),
    ({ operationId }) => operationId,
  );
  const isNotObserved = (key: string) => !observed.has(key);
  return {
    profile,
    exchanges: sum(({ exchanges }) => exchanges),
    passed: sum(({ passed }) => passed),
    known: sum(({ known }) => known),
    warned: sum(({ warned }) => warned),
    failed: sum(({ failed }) => failed),
    unsupported: sum(({ unsupported }) => unsupported),
    incompleteResponses: sum(({ incompleteResponses }) => incompleteResponses),
    ...(notChecked.length === 0 ? {} : { notChecked }),
    matrix,
    violations: kinds.slice(0, violationsKeptMax),
    violationsDropped: sum(({ violationsDropped }) => violationsDropped) + dropped(kinds.slice(violationsKeptMax)),
    faults: counted(
      summaries.flatMap(({ faults }) => faults),
      ({ rule }) => rule,
    ),
    knownDivergences: counted(
      summaries.flatMap(({ knownDivergences }) => knownDivergences),
      ({ id }) => id,
    ),
    divergencesNotObserved: inAll(summaries.map(({ divergencesNotObserved }) => divergencesNotObserved)),
    operations: mergedOperations(summaries.map(({ operations }) => operations)),
    responseTimesMs: sumsByKey(summaries.map(({ responseTimesMs = {} }) => responseTimesMs)),
    // Statuses of an additional operation are listed only where the operation itself was observed.
    operationsNotObserved: inOrder(summaries.map(({ operationsNotObserved }) => operationsNotObserved)).filter(
      isNotObserved,
    ),
    statusesNotObserved: inOrder(summaries.map(({ statusesNotObserved }) => statusesNotObserved)).filter(isNotObserved),
    coverage: mergedCoverage(summaries.map(({ coverage }) => coverage)),
  };
}

function mergedOperations(lists: readonly (readonly CheckedOperation[])[]): readonly CheckedOperation[] {
  const byId = new Map(lists.flat().map((operation) => [operation.operationId, operation]));
  const ids = inOrder(lists.map((list) => list.map(({ operationId }) => operationId)));
  return ids.flatMap((operationId) => byId.get(operationId) ?? []);
}

function dropped(violations: readonly CountedViolation[]): number {
  return sumOf(violations.map(({ count }) => count));
}

function mergedCoverage(coverages: readonly Coverage[]): Coverage {
  return {
    rulesNotExercised: inAll(coverages.map(({ rulesNotExercised }) => rulesNotExercised)),
    inconclusive: counted(
      coverages.flatMap(({ inconclusive }) => inconclusive),
      ({ rule, reason }) => `${rule} ${reason}`,
    ),
    trace: mergedTrace(coverages.map(({ trace }) => trace)),
    cuts: sumOf(coverages.map(({ cuts }) => cuts)),
  };
}

function mergedTrace(traces: readonly TraceCoverage[]): TraceCoverage {
  return {
    evicted: sumsByKey(traces.map((trace) => trace.evicted)),
    resets: sumOf(traces.map(({ resets }) => resets)),
    untimed: sumOf(traces.map(({ untimed }) => untimed)),
    untracked: sumOf(traces.map(({ untracked }) => untracked)),
  };
}

function mergedProbing(probings: readonly ProbingReport[]): ProbingReport | undefined {
  if (probings.length === 0) return undefined;
  const byId = Map.groupBy(
    probings.flatMap(({ probes }) => probes),
    ({ id }) => id,
  );
  const created = probings.flatMap((probing) => probing.created);
  const [seed, ...otherSeeds] = new Set(probings.map((probing) => probing.seed));
  return {
    ...(seed === undefined || otherSeeds.length > 0 ? {} : { seed }),
    probes: [...byId.values()].flatMap(mergedProbe),
    created: [...new Map(created.map((made) => [`${made.kind} ${made.id}`, made])).values()],
    requests: sumOf(probings.map(({ requests }) => requests)),
    values: [...new Map(probings.flatMap(({ values }) => values).map((value) => [value.name, value])).values()],
    ...inconclusiveByAll(probings),
  };
}

/** Every shard compares the whole description: the first comparison that succeeded counts. */
function mergedDrift(drifts: readonly DriftReport[]): Pick<Report, "drift"> {
  const drift = drifts.find(({ problem }) => problem === undefined) ?? drifts[0];
  return drift === undefined ? {} : { drift };
}

/** A part is inconclusive only if it is inconclusive in every shard. */
function inconclusiveByAll([first, ...others]: readonly ProbingReport[]): Pick<ProbingReport, "inconclusive"> {
  const isInconclusive = (subject: string) =>
    others.every(({ inconclusive = [] }) => inconclusive.some((entry) => entry.subject === subject));
  const inconclusive = (first?.inconclusive ?? []).filter(({ subject }) => isInconclusive(subject));
  return inconclusive.length === 0 ? {} : { inconclusive };
}

/** A probe counts as run if any shard ran it. */
function mergedProbe(same: readonly ProbeReport[]): readonly ProbeReport[] {
  const probe = same.find(({ outcome }) => outcome === "run") ?? same[0];
  if (probe === undefined) return [];
  const timesMs = same.flatMap(({ responseTimeMs }) => responseTimeMs ?? []);
  const time = timesMs.length === 0 ? {} : { responseTimeMs: sumOf(timesMs) };
  return [{ ...probe, reached: inOrder(same.map(({ reached }) => reached)), ...time }];
}

/** An entry is fixed only if no part found it, and unchecked only if no part checked it. */
function mergedBaseline(baselines: readonly BaselineReport[]): BaselineReport | undefined {
  const [first] = baselines;
  if (first === undefined) return undefined;
  const accepted = inOrder(baselines.map((baseline) => baseline.accepted)).toSorted();
  const fixed = inOrder(baselines.map((baseline) => baseline.fixed)).toSorted();
  return {
    file: first.file,
    accepted,
    fixed: fixed.filter((fingerprint) => !accepted.includes(fingerprint)),
    unchecked: inAll(baselines.map(({ unchecked }) => unchecked)),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function sumsByKey(counts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const [key, count] of counts.flatMap(Object.entries<number>)) sums.set(key, (sums.get(key) ?? 0) + count);
  return Object.fromEntries([...sums].sort());
}

/** The first element of each kind with the total count, sorted by kind. */
function counted<Element extends { readonly count: number }>(
  elements: readonly Element[],
  kindOf: (element: Element) => string,
): readonly Element[] {
  const byKind = new Map<string, Element>();
  for (const element of elements) {
    const kind = kindOf(element);
    const first = byKind.get(kind);
    byKind.set(kind, first === undefined ? element : { ...first, count: first.count + element.count });
  }
  return [...byKind]
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([, element]) => element);
}

function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((element) => others.every((list) => list.includes(element)));
}

/** Merges lists without duplicates and keeps the relative order of each list. */
function inOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const merged: string[] = [];
  for (const list of lists) {
    let place = 0;
    for (const element of list) {
      const found = merged.indexOf(element);
      if (found < 0) merged.splice(place, 0, element);
      place = (found < 0 ? place : found) + 1;
    }
  }
  return merged;
}
