import { printable } from "../../../foundation/text/printable.ts";
import type { CountedViolation } from "../../engine/verdict.ts";
import { explainCommand, ruleUrl } from "../docs-links.ts";
import { isAccepted, isComplete, type ProbingReport, type Report } from "../report.ts";
import { type Markup, markup, noMarkup } from "./_markup.ts";
import { type Cell, cellsOf } from "./_matrix.ts";
import { checkedAgainst, incompleteText, resultSentence, routeText, statusText, times, totals } from "./_phrases.ts";

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

interface Case {
  readonly name: string;
  /** Response time. */
  readonly timeMs?: number;
  /** Why the check is incomplete. */
  readonly error?: string;
  readonly failure?: { readonly message: string; readonly text: string };
  readonly skipped?: string;
  readonly out?: string;
}

/** Renders JUnit XML for CI: one suite per operation, one case per status and rule; the probes are a suite. */
export function renderJunit(report: Report): string {
  const operations = Map.groupBy(cellsOf(report), ({ operationId }) => operationId);
  const suites = [
    ...[...operations].map(([name, cells]) => ({ name, cases: timedCases(report, cells) })),
    ...(report.probing === undefined ? [] : [probesSuite(report.probing)]),
    wholeSuite(report),
  ];
  const { text } = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="understudy check" ${countsOf(suites.flatMap(({ cases }) => cases))}>
${suites.map(suiteMarkup)}</testsuites>
`;
  return text;
}

/** The cases of an operation. The rules of a status share its response time, so that times add up. */
function timedCases(report: Report, cells: readonly Cell[]): readonly Case[] {
  const cases = Map.groupBy(cells, ({ status }) => status);
  return cells.map((cell) => {
    const { operationId, status } = cell;
    const timeMs = report.summary.responseTimesMs?.[`${operationId} ${status}`] ?? 0;
    return { ...caseOf(report, cell), timeMs: timeMs / (cases.get(status)?.length ?? 1) };
  });
}

function caseOf(report: Report, { status, rule, counts, violations, mark }: Cell): Case {
  const name = `${statusText(status)} ${rule}`;
  const notes = [
    ...(counts.KNOWN === undefined ? [] : [`KNOWN ${times(counts.KNOWN)}: a known divergence of the release`]),
    ...violations.map((violation) => violationText(report, violation)),
  ];
  const out = notes.join("\n\n");
  if (mark !== "failed") return out === "" ? { name } : { name, out };
  const first = violations.find((violation) => violation.outcome === "FAIL" && !isAccepted(report, violation));
  const message =
    first === undefined
      ? `FAIL ${times(counts.FAIL ?? 0)}; beyond the limit of kept violations`
      : `expected ${first.expected}, actual ${first.actual}`;
  return { name, failure: { message, text: out } };
}

function violationText(report: Report, violation: CountedViolation): string {
  const { outcome, rule, operationId, count, expected, actual, pointer, section, curl, fingerprint } = violation;
  return [
    `${outcome} ${rule} (${times(count)})${isAccepted(report, violation) ? ", accepted by the baseline" : ""}`,
    `operation   ${routeText(report.summary, operationId)}`,
    `expected    ${expected}`,
    `actual      ${actual}`,
    `at          ${pointer === "" ? "(the response)" : pointer}`,
    `spec        §${section}`,
    `rule        ${ruleUrl(rule)}`,
    `explain     ${explainCommand(rule)}`,
    `repeat      ${curl}`,
    `fingerprint ${fingerprint}`,
  ].join("\n");
}

function probesSuite({ probes }: ProbingReport): Suite {
  return {
    name: "probes",
    cases: probes.map(({ id, outcome, reason, reached, responseTimeMs = 0 }) =>
      outcome === "run"
        ? {
            name: id,
            timeMs: responseTimeMs,
            ...(reached.length === 0 ? {} : { out: `reached ${reached.join(", ")}` }),
          }
        : { name: id, skipped: reason ?? "no reason given" },
    ),
  };
}

/** The suite of the check as a whole: totals, baseline, and whether violations exceeded the limit. */
function wholeSuite(report: Report): Suite {
  const { summary, baseline, command } = report;
  const out = [
    checkedAgainst(report),
    totals(report),
    resultSentence(report),
    ...(command === undefined ? [] : [`repeat: ${command}`]),
    ...(baseline?.accepted ?? []).map((fingerprint) => `accepted: ${fingerprint}`),
    ...(baseline?.fixed ?? []).map((fingerprint) => `fixed: ${fingerprint}`),
  ].join("\n");
  const name = "all kinds of violation are listed";
  const failure = { message: resultSentence(report), text: out };
  const kept = summary.violationsDropped === 0 ? { name, out } : { name, failure };
  const error = isComplete(report) ? {} : { error: incompleteText(report) };
  return { name: "check", cases: [kept, { name: "the check is complete", ...error }] };
}

function countsOf(cases: readonly Case[]): Markup {
  const failed = cases.filter(({ failure }) => failure !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  const skipped = cases.filter((single) => single.skipped !== undefined).length;
  const time = seconds(cases.reduce((sum, { timeMs = 0 }) => sum + timeMs, 0));
  return markup`tests="${cases.length}" failures="${failed}" errors="${errors}" skipped="${skipped}" time="${time}"`;
}

function seconds(timeMs: number): string {
  return (timeMs / 1000).toFixed(6);
}

function suiteMarkup({ name, cases }: Suite): Markup {
  return markup`  <testsuite name="${name}" ${countsOf(cases)}>
${cases.map((single) => caseMarkup(name, single))}  </testsuite>
`;
}

function caseMarkup(suite: string, { name, timeMs = 0, error, failure, skipped, out }: Case): Markup {
  const parts = [
    error === undefined ? noMarkup : markup`<error message="${printable(error)}" type="incomplete">${error}</error>`,
    failure === undefined
      ? noMarkup
      : markup`<failure message="${printable(failure.message)}" type="violation">${failure.text}</failure>`,
    skipped === undefined ? noMarkup : markup`<skipped message="${printable(skipped)}"/>`,
    out === undefined ? noMarkup : markup`<system-out>${out}</system-out>`,
  ];
  return markup`    <testcase classname="${suite}" name="${name}" time="${seconds(timeMs)}">${parts}</testcase>
`;
}
