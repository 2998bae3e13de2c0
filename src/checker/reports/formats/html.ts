import { notCheckedIn, type Report } from "../report.ts";
import { type Markup, markup, noMarkup } from "./_markup.ts";
import { groupViolations, type ViolationGroup, violationsInOrder } from "./_matrix.ts";
import { htmlPage } from "./_page.ts";
import { baselineSection, coverageSection, driftSection, knownSection, probingSection } from "./_page-context.ts";
import { findingsSection } from "./_page-findings.ts";
import { matrixSection } from "./_page-matrix.ts";
import { checkedAgainst, driftSentence, resultOf, resultSentence } from "./_phrases.ts";

/** Renders a self-contained HTML page without scripts or requests; its content security policy forbids both. */
export function renderHtml(report: Report): string {
  const groups = groupViolations(report, violationsInOrder(report));
  const sections = [
    findingsSection(report, groups),
    report.command === undefined ? noMarkup : markup`<p>Repeat: <code>${report.command}</code></p>\n`,
    matrixSection(report, groups),
    knownSection(report.summary),
    baselineSection(report.baseline),
    probingSection(report.probing),
    driftSection(report),
    coverageSection(report.summary),
  ].filter(({ text }) => text !== "");
  return htmlPage(`understudy check: ${resultOf(report)}`, pageHeader(report, groups), sections);
}

function pageHeader(report: Report, groups: readonly ViolationGroup[]): Markup {
  const { summary, sources } = report;
  const counts = [
    ["exchanges", summary.exchanges],
    ["passed", summary.passed],
    ["failed", summary.failed],
    ["with known divergences only", summary.known],
    ["warnings", summary.warned],
    ["unsupported", summary.unsupported],
    ["incomplete responses", summary.incompleteResponses],
    ["not checked", notCheckedIn(summary)],
  ] as const;
  return markup`<header>
<h1>understudy check</h1>
<p class="result ${{ fails: "failed", incomplete: "warned", passes: "passed" }[resultOf(report)]}">${resultSentence(report)}</p>
<p class="muted">${checkedAgainst(report)}<br>${sources.join(", ")}</p>
<ul class="counts">${counts.map(([name, count]) => markup`<li><b>${count}</b> ${name}</li>`)}</ul>
<nav aria-label="Sections"><ul>${links(report, groups.length).map(([id, name]) => markup`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
</header>`;
}

function links(report: Report, findings: number): readonly (readonly [string, string])[] {
  const { summary, baseline, probing } = report;
  return [
    ["findings", `Findings (${findings})`],
    ["matrix", "Matrix"],
    ...(summary.knownDivergences.length === 0 ? [] : [["known", "Known divergences"] as const]),
    ...(baseline === undefined ? [] : [["baseline", "Baseline"] as const]),
    ...(probing === undefined ? [] : [["probes", "Probes"] as const]),
    ...(driftSentence(report) === undefined ? [] : [["drift", "Drift"] as const]),
    ["coverage", "Coverage"],
  ];
}
