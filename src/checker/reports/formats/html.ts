import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base64OfBytes } from "../../../foundation/text/base64.ts";
import type { Report } from "../report.ts";
import { type Markup, markup, noMarkup } from "./_markup.ts";
import { groupViolations, type ViolationGroup, violationsInOrder } from "./_matrix.ts";
import { baselineSection, coverageSection, driftSection, knownSection, probingSection } from "./_page-context.ts";
import { findingsSection } from "./_page-findings.ts";
import { matrixSection } from "./_page-matrix.ts";
import { pageStyle } from "./_page-style.ts";
import { checkedAgainst, driftSentence, resultOf, resultSentence } from "./_phrases.ts";

/** Renders a self-contained HTML page without scripts or requests; its content security policy forbids both. */
export function renderHtml(report: Report): string {
  const groups = groupViolations(report, violationsInOrder(report));
  const sections = [
    findingsSection(report, groups),
    matrixSection(report, groups),
    knownSection(report.summary),
    baselineSection(report.baseline),
    probingSection(report.probing),
    driftSection(report),
    coverageSection(report.summary),
  ].filter(({ text }) => text !== "");
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>understudy check: ${resultOf(report)}</title>
<style>${{ text: pageStyle }}</style>
</head>
<body>
${pageHeader(report, groups)}
<main>
${sections}</main>
</body>
</html>
`;
  return text;
}

/** A policy that allows only the page's own style sheet, by its hash. */
function policy(): string {
  const hash = base64OfBytes(sha256(utf8ToBytes(pageStyle)));
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

function pageHeader(report: Report, groups: readonly ViolationGroup[]): Markup {
  const { summary, sources, command } = report;
  const counts = [
    ["exchanges", summary.exchanges],
    ["passed", summary.passed],
    ["failed", summary.failed],
    ["known divergences", summary.known],
    ["warnings", summary.warned],
    ["unsupported", summary.unsupported],
    ["incomplete responses", summary.incompleteResponses],
  ] as const;
  return markup`<header>
<h1>understudy check</h1>
<p class="result ${{ fails: "failed", incomplete: "warned", passes: "passed" }[resultOf(report)]}">${resultSentence(report)}</p>
<p class="muted">${checkedAgainst(report)}<br>${sources.join(", ")}</p>
${command === undefined ? noMarkup : markup`<p>Repeat: <code>${command}</code></p>\n`}<ul class="counts">${counts.map(([name, count]) => markup`<li><b>${count}</b> ${name}</li>`)}</ul>
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
