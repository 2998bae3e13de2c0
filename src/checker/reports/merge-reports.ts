import type { TraceCoverage } from "../engine/trace.ts";
import {
  type CheckedOperation,
  type CountedViolation,
  type Coverage,
  type VerdictSummary,
  violationsKeptMax,
} from "../engine/verdict.ts";
import type { BaselineReport, ProbeReport, ProbingReport, Report } from "./report.ts";

export type MergedReports =
  | { readonly type: "merged"; readonly report: Report }
  /** `problem` names the reports that do not fit, as `report 2 …`, or the shards; `advice` is a sentence. */
  | { readonly type: "refused"; readonly problem: string; readonly advice: string };

/** Joins the reports of shards, or of anything that was checked by the same profile and level, into the report on all of it. */
export function mergeReports(reports: readonly [Report, ...Report[]]): MergedReports {
  const [first] = reports;
  const misfits = reports.flatMap((report, index) => {
    const difference = differenceOf(first, report);
    return difference === undefined ? [] : [`report ${index + 1} ${difference}`];
  });
  if (misfits.length > 0)
    return { type: "refused", problem: misfits.join("; "), advice: "Judge all with the same settings." };
  const gaps = gapsIn(reports);
  if (gaps.length > 0)
    return { type: "refused", problem: gaps.join("; "), advice: "Give every shard of a check once." };
  const incomplete = [...new Set(reports.flatMap((report) => report.incomplete ?? []))];
  const report = {
    ...(incomplete.length === 0 ? {} : { incomplete }),
    summary: mergedSummary(
      reports.map(({ summary }) => summary),
      first.summary,
    ),
    level: first.level,
    sources: inOrder(reports.map(({ sources }) => sources)),
    profileReason: first.profileReason,
    probing: mergedProbing(reports.flatMap(({ probing }) => probing ?? [])),
    baseline: mergedBaseline(reports.flatMap(({ baseline }) => baseline ?? [])),
  };
  return { type: "merged", report };
}

function differenceOf(first: Report, other: Report): string | undefined {
  const [profile, otherProfile] = [first, other].map(({ summary }) => Object.values(summary.profile).join(" and "));
  if (profile !== otherProfile) return `was checked against ${otherProfile}, the first against ${profile}`;
  if (first.level !== other.level) return `was checked at level ${other.level}, the first at level ${first.level}`;
  const [file, otherFile] = [first.baseline?.file, other.baseline?.file];
  if (file !== otherFile) return `has ${otherFile ?? "no file"} as its baseline, the first ${file ?? "no file"}`;
  return undefined;
}

/** Which shards are missing and which come twice. Shards of the same sources, cut into as many parts, are of one whole. */
function gapsIn(reports: readonly Report[]): readonly string[] {
  const shards = reports.flatMap(({ shard, sources }) => (shard === undefined ? [] : [{ ...shard, sources }]));
  const wholes = Map.groupBy(shards, (shard) => JSON.stringify([shard.of, shard.sources]));
  return [...wholes.values()].flatMap((parts) => {
    const [{ of, sources } = { of: 0, sources: [] }] = parts;
    const given = Map.groupBy(parts, ({ index }) => index);
    const missing = Array.from({ length: of }, (_, place) => place + 1).filter((index) => !given.has(index));
    const repeated = [...given].filter(([, same]) => same.length > 1).map(([index]) => index);
    const whole = `of ${of} of ${sources.join(" and ")}`;
    return [...gap(missing, whole, "missing"), ...gap(repeated, whole, "given more than once")];
  });
}

function gap(indices: readonly number[], whole: string, state: string): readonly string[] {
  if (indices.length === 0) return [];
  const [shown, more] = [indices.slice(0, gapsShownMax), indices.length - gapsShownMax];
  const list = `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    `${indices.length === 1 ? "shard" : "shards"} ${list} ${whole} ${indices.length === 1 ? "is" : "are"} ${state}`,
  ];
}

/** Shards that a message lists; a check may have a million. */
const gapsShownMax = 20;

function mergedSummary(summaries: readonly VerdictSummary[], { profile }: VerdictSummary): VerdictSummary {
  const sum = (countOf: (summary: VerdictSummary) => number) => sumOf(summaries.map(countOf));
  const matrix = counted(
    summaries.flatMap((summary) => summary.matrix),
    ({ operationId, status, rule, outcome }) => `${operationId} ${status} ${rule} ${outcome}`,
  );
  // The worse outcome stands for its kind, as in a verdict on all.
  const worstFirst = summaries
    .flatMap(({ violations }) => violations)
    .sort((left, right) => severity.indexOf(left.outcome) - severity.indexOf(right.outcome));
  const kinds = counted(worstFirst, ({ fingerprint }) => fingerprint);
  const seen = new Set(
    matrix
      .filter(({ status }) => status > 0)
      .flatMap(({ operationId, status }) => [operationId, `${operationId} ${status}`]),
  );
  const isUnseen = (key: string) => !seen.has(key);
  return {
    profile,
    exchanges: sum(({ exchanges }) => exchanges),
    passed: sum(({ passed }) => passed),
    known: sum(({ known }) => known),
    warned: sum(({ warned }) => warned),
    failed: sum(({ failed }) => failed),
    outside: sum(({ outside }) => outside),
    broken: sum(({ broken }) => broken),
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
    unusedDivergences: inAll(summaries.map(({ unusedDivergences }) => unusedDivergences)),
    operations: mergedOperations(summaries.map(({ operations }) => operations)),
    // A additional operation's statuses are unseen only where the additional operation itself was seen.
    unseenOperations: inOrder(summaries.map(({ unseenOperations }) => unseenOperations)).filter(isUnseen),
    unseenStatuses: inOrder(summaries.map(({ unseenStatuses }) => unseenStatuses)).filter(isUnseen),
    coverage: mergedCoverage(summaries.map(({ coverage }) => coverage)),
  };
}

function mergedOperations(lists: readonly (readonly CheckedOperation[])[]): readonly CheckedOperation[] {
  const byId = new Map(lists.flat().map((operation) => [operation.operationId, operation]));
  const ids = inOrder(lists.map((list) => list.map(({ operationId }) => operationId)));
  return ids.flatMap((operationId) => byId.get(operationId) ?? []);
}

const severity = ["FAIL", "WARN", "KNOWN", "PASS"];

function dropped(violations: readonly CountedViolation[]): number {
  return sumOf(violations.map(({ count }) => count));
}

function mergedCoverage(coverages: readonly Coverage[]): Coverage {
  return {
    unusedRules: inAll(coverages.map(({ unusedRules }) => unusedRules)),
    silences: counted(
      coverages.flatMap(({ silences }) => silences),
      ({ rule, why }) => `${rule} ${why}`,
    ),
    trace: mergedTrace(coverages.map(({ trace }) => trace)),
    cuts: sumOf(coverages.map(({ cuts }) => cuts)),
  };
}

function mergedTrace(traces: readonly TraceCoverage[]): TraceCoverage {
  const forgotten = new Map<string, number>();
  for (const [rule, count] of traces.flatMap((trace) => Object.entries(trace.forgotten)))
    forgotten.set(rule, (forgotten.get(rule) ?? 0) + count);
  return {
    forgotten: Object.fromEntries([...forgotten].sort()),
    late: sumOf(traces.map(({ late }) => late)),
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
  return {
    probes: [...byId.values()].flatMap(mergedProbe),
    created: [...new Map(created.map((made) => [`${made.kind} ${made.id}`, made])).values()],
    requests: sumOf(probings.map(({ requests }) => requests)),
    found: [...new Map(probings.flatMap(({ found }) => found).map((value) => [value.name, value])).values()],
    ...inconclusiveByAll(probings),
  };
}

/** What one shard checked is checked. */
function inconclusiveByAll([first, ...others]: readonly ProbingReport[]): Pick<ProbingReport, "inconclusive"> {
  const isInconclusive = (what: string) =>
    others.every(({ inconclusive = [] }) => inconclusive.some((one) => one.what === what));
  const inconclusive = (first?.inconclusive ?? []).filter(({ what }) => isInconclusive(what));
  return inconclusive.length === 0 ? {} : { inconclusive };
}

/** A probe that ran once has run. */
function mergedProbe(same: readonly ProbeReport[]): readonly ProbeReport[] {
  const probe = same.find(({ outcome }) => outcome === "ran") ?? same[0];
  return probe === undefined ? [] : [{ ...probe, reached: inOrder(same.map(({ reached }) => reached)) }];
}

/** What came again in one part is not fixed, and what one part looked at is not unchecked. */
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

/** The first of each kind with the counts of all, by the text of its kind. */
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

/** Every element once; lists that are parts of one order are put together in it as far as they tell it. */
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
