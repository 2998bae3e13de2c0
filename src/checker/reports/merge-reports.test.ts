import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { checkTrace } from "../engine/checker.ts";
import { rules } from "../rules/index.ts";
import { renderJson } from "./formats/json.ts";
import { mergeReports } from "./merge-reports.ts";
import { readReport } from "./read-report.ts";
import type { ProbeReport, Report } from "./report.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" }, { hasAdditionalOperations: true });
const options = {
  spec,
  isStrict: false,
  areAdditionalOperationsChecked: true,
  order: "by-time",
  isExclusive: false,
} as const;

function exchange(index: number, target: string, status: number, body: string): Exchange {
  const broken = status === 0 ? ({ response: { type: "broken", kind: "reset" } } as const) : {};
  const startedAt = new Date(index * 10).toISOString();
  return exchangeOf({ startedAt, target: `http://node${target}`, status, responseBody: body, ...broken });
}

/** Passed, failed in several ways, known divergence, incomplete, unsupported, and an additional operation. */
const recording = Array.from({ length: 60 }, (_, index) => {
  const kinds = [
    exchange(index, "/v2/users", 200, '{"users":[],"nextPageToken":""}'),
    exchange(index, "/v2/users", 200, `{"users":[{"id":${index}}]}`),
    exchange(index, "/v2/idps", 200, '{"identityProviderConfigs":[]}'),
    exchange(index, "/v2/users", 0, ""),
    exchange(index, "/elsewhere", 200, "{}"),
    exchange(index, "/v2/version", 200, index < 30 ? "{}" : '{"version":5}'),
    exchange(index, "/v2/users", index < 40 ? 503 : 206, "{}"),
  ];
  return kinds[index % kinds.length] ?? exchange(index, "/", 200, "");
});

function reportOn(exchanges: readonly Exchange[], more: Partial<Report> = {}): Report {
  const steps = exchanges.map((one) => ({ exchange: one }));
  const rest = { probing: undefined, baseline: undefined, ...more };
  return {
    summary: checkTrace(steps, options).summary(),
    isStrict: false,
    sources: ["a.har"],
    profileReason: "set by --profile",
    ...rest,
  };
}

const traceRules = new Set(rules.filter(({ type }) => type === "trace").map(({ id }) => id));

function byExchange({ summary }: Report): object {
  const {
    exchanges,
    unsupported,
    incompleteResponses,
    failed,
    matrix,
    violations,
    knownDivergences,
    operationsNotObserved,
    statusesNotObserved,
  } = summary;
  const isExchangeRule = ({ rule }: { readonly rule: string }) => !traceRules.has(rule);
  return {
    counts: [exchanges, unsupported, incompleteResponses, failed],
    matrix: matrix.filter(isExchangeRule),
    violations: violations.filter(isExchangeRule),
    knownDivergences,
    operationsNotObserved,
    statusesNotObserved,
  };
}

function merged(first: Report, ...others: readonly Report[]): Report {
  const result = mergeReports([first, ...others]);
  if (result.type === "refused") throw new Error(result.problem);
  return result.report;
}

test("merged shards give the verdict on the whole recording", () => {
  const [whole, first, second, third] = [
    reportOn(recording),
    ...[0, 1, 2].map((shard) => reportOn(recording.filter((_, index) => Math.floor(index / 7) % 3 === shard))),
  ];
  if (first === undefined || second === undefined || third === undefined) throw new Error("three shards");
  expect(whole.summary.violations.length).toBeGreaterThan(3);
  // Results of trace rules depend on the earlier exchanges of the shard.
  expect(byExchange(merged(first, second, third))).toEqual(byExchange(whole));
  expect(merged(whole)).toEqual(whole);
});

test("reading a JSON report gives the same report", () => {
  const report = reportOn(recording);
  expect(readReport(renderJson(report))).toEqual({ type: "read", report });
});

test.each([
  ["{", "it is not JSON"],
  ["[]", "it must be object"],
  ["{}", 'it has no member "version"'],
  ['{"log":{}}', "it is a recording (HAR)"],
  [
    '{"version":1,"summary":{}}',
    "it has version 1 of the format, and this canton-understudy reads version 2. Write the file again",
  ],
  [
    '{"version":3,"later":{}}',
    "it has version 3 of the format, and this canton-understudy reads version 2. Update canton-understudy",
  ],
])("refuses %s as a report", (text, problem) => {
  expect(readReport(text)).toEqual({ type: "invalid", problem });
});

test("names the member of a newer report that it does not know", () => {
  const text = renderJson(reportOn(recording)).replace('"summary":', '"later":1,"summary":');
  expect(readReport(text)).toEqual({
    type: "invalid",
    problem: 'it has the unknown member "later"; a newer canton-understudy may have written it',
  });
});

test("keeps the first violation of a kind and adds up the counts", () => {
  const [early, late] = [1, 2].map((id) => reportOn([exchange(0, "/v2/users", 200, `{"users":[{"id":${id}}]}`)]));
  if (early === undefined || late === undefined) throw new Error("two reports");
  expect(merged(late, early).summary.violations).toMatchObject([{ actual: "2", count: 2 }]);
});

test("adds up rule faults", () => {
  const faulty = (rule: string): Report => {
    const report = reportOn([]);
    return { ...report, summary: { ...report.summary, faults: [{ rule, count: 2 }] } };
  };
  expect(merged(faulty("b"), faulty("a"), faulty("b")).summary.faults).toEqual([
    { rule: "a", count: 2 },
    { rule: "b", count: 4 },
  ]);
});

test("adds up inconclusive results, cuts and evicted entries", () => {
  const silent = (reason: string): Report => {
    const report = reportOn([]);
    const trace = { evicted: { r: 1 }, resets: 1, untimed: 2, untracked: 3 };
    const coverage = { ...report.summary.coverage, inconclusive: [{ rule: "r", reason, count: 2 }], trace, cuts: 1 };
    return { ...report, summary: { ...report.summary, coverage } };
  };
  expect(merged(silent("b"), silent("a"), silent("b")).summary.coverage).toMatchObject({
    inconclusive: [
      { reason: "a", count: 2 },
      { reason: "b", count: 4 },
    ],
    trace: { evicted: { r: 3 }, resets: 3, untimed: 6, untracked: 9 },
    cuts: 3,
  });
});

test("a probe that one part ran counts as run, and a created entity is listed once", () => {
  const probe = (id: string, outcome: ProbeReport["outcome"], reached: readonly string[]): ProbeReport => ({
    id,
    summary: id,
    safety: "safe",
    outcome,
    reason: outcome === "run" ? undefined : "no token",
    reached,
  });
  const created = [{ kind: "user", id: "probe-1" }];
  const [left, right] = [
    reportOn([], {
      probing: { probes: [probe("a", "skipped", []), probe("b", "run", ["x 1"])], created, requests: 2, values: [] },
    }),
    reportOn([], {
      probing: { probes: [probe("a", "run", ["y 2"]), probe("b", "run", ["x 1"])], created, requests: 3, values: [] },
    }),
  ];
  expect(merged(left, right, reportOn([])).probing).toEqual({
    probes: [probe("a", "run", ["y 2"]), probe("b", "run", ["x 1"])],
    created,
    requests: 5,
    values: [],
  });
});

test("the merged report has the config file and the place of the target of the first one", () => {
  const described = { config: "understudy.config.yaml", place: { file: "understudy.config.yaml", line: 3 } };
  expect(merged(reportOn([], described), reportOn([], described))).toMatchObject(described);
  expect(merged(reportOn([]), reportOn([]))).not.toHaveProperty("config");
});

test("a baseline entry is fixed only if no part found it", () => {
  const [left, right] = [
    reportOn([], { baseline: { file: "b", accepted: ["z"], fixed: ["x"], unchecked: ["u", "y"] } }),
    reportOn([], { baseline: { file: "b", accepted: ["x"], fixed: ["y", "z"], unchecked: ["u"] } }),
  ];
  expect(merged(left, right).baseline).toEqual({
    file: "b",
    accepted: ["x", "z"],
    fixed: ["y"],
    unchecked: ["u"],
  });
  expect(mergeReports([left, reportOn([])])).toMatchObject({
    problem: "report 2 has no baseline, the first has b",
  });
});

test("an incomplete part makes the merged report incomplete, with each reason once", () => {
  const [whole, cut, alsoCut] = [
    reportOn([]),
    reportOn([], { incomplete: ["a"] }),
    reportOn([], { incomplete: ["b", "a"] }),
  ];
  expect(merged(whole, cut, alsoCut).incomplete).toEqual(["a", "b"]);
  expect(merged(whole, whole)).not.toHaveProperty("incomplete");
});

test("refuses missing and repeated shards, and names them", () => {
  const shard = (index: number, of: number, sources = ["a.har"]) => reportOn([], { shard: { index, of }, sources });
  const problem = (first: Report, ...others: readonly Report[]) => {
    const result = mergeReports([first, ...others]);
    return result.type === "refused" ? result.problem : "none";
  };
  expect(problem(shard(2, 2), shard(1, 2))).toBe("none");
  expect(problem(shard(1, 2), reportOn([]), reportOn([]), shard(2, 2))).toBe("none");
  expect(problem(shard(1, 2), shard(2, 2), shard(2, 2, ["b.har"]), shard(1, 2, ["b.har"]))).toBe("none");
  expect(problem(shard(2, 3))).toBe("shards 1, 3 of 3 of a.har are missing");
  expect(problem(shard(1, 2), shard(1, 2))).toBe(
    "shard 2 of 2 of a.har is missing; shard 1 of 2 of a.har is given more than once",
  );
  expect(problem(shard(1, 2), shard(2, 2, ["b.har"]))).toBe(
    "shard 2 of 2 of a.har is missing; shard 1 of 2 of b.har is missing",
  );
  expect(problem(shard(1, 2), shard(2, 3))).toBe(
    "shard 2 of 2 of a.har is missing; shards 1, 3 of 3 of a.har are missing",
  );
  expect(problem(shard(1, 100_000))).toMatch(/^shards 2, 3, .* and 99989 more of 100000 of a\.har are missing$/);
  expect(merged(shard(1, 2), shard(2, 2))).not.toHaveProperty("shard");
});

test("refuses shards of a recording that grew between them", () => {
  const shard = (index: number, ...sizes: readonly number[]) => {
    const files = sizes.map((bytes, at) => ({ file: `${at}.har`, bytes }));
    const sources = [...files.map(({ file }) => file), "stream"];
    return reportOn([], { shard: { index, of: 2, recordings: files }, sources });
  };
  expect(mergeReports([shard(1, 5, 70), shard(2, 5, 80)])).toEqual({
    type: "refused",
    problem: "1.har had 70 bytes for shard 1 of 2, and 80 bytes for shard 2 of 2",
    advice: "Check all shards again, on a recording that nothing writes: stop the recording first, or check a copy.",
  });
  expect(mergeReports([shard(1, 5, 70), shard(2, 5, 70)])).toMatchObject({ type: "merged" });
  // Recordings of another check may have the same name.
  expect(mergeReports([shard(1, 5), shard(2, 5), shard(1, 6, 7), shard(2, 6, 7)])).toMatchObject({ type: "merged" });
});

test("refuses reports of another profile or strictness", () => {
  const report = reportOn([]);
  const onSpec = { ...report.summary, profile: { ledger: "spec", registry: "spec" } as const };
  expect(mergeReports([report, { ...report, isStrict: true }, { ...report, summary: onSpec }])).toEqual({
    type: "refused",
    problem:
      "report 2 is strict (--strict), the first is not strict; report 3 has profile spec and spec, the first has canton-3.5 and splice-0.7",
    advice: "Run all checks with the same profile, --strict or not, and the same baseline.",
  });
});

test("an API is inconclusive only if every part found it inconclusive", () => {
  const part = (...subjects: readonly string[]) => {
    const inconclusive = subjects.map((subject) => ({ subject, reason: "all its probes were skipped" }));
    return reportOn([], { probing: { probes: [], created: [], requests: 1, values: [], inconclusive } });
  };
  expect(merged(part("the ledger", "the registry"), part("the registry")).probing?.inconclusive).toEqual([
    { subject: "the registry", reason: "all its probes were skipped" },
  ]);
  expect(merged(part("the ledger"), part("the registry")).probing?.inconclusive).toBeUndefined();
});

test("refuses reports with client findings, which would be lost", () => {
  const report = reportOn([]);
  const clientRules = { rules: 1, findings: [], dropped: 0, faults: [] };
  expect(mergeReports([report, { ...report, clientRules }])).toMatchObject({
    type: "refused",
    problem: "a report has client findings, which are not merged",
  });
});

test("the first comparison of descriptions that succeeded is the drift of the merged report", () => {
  const unread = { problem: "GET /docs/openapi returned 503", differences: [], dropped: 0 };
  const read = { differences: [], dropped: 2 };
  const merged = mergeReports([reportOn([], { drift: unread }), reportOn([], { drift: read }), reportOn([])]);
  expect(merged).toMatchObject({ type: "merged", report: { drift: read } });
  expect(mergeReports([reportOn([], { drift: unread })])).toMatchObject({ report: { drift: unread } });
});
