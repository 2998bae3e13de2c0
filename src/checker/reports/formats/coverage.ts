import type { CoverageCounts } from "../../engine/consumer-coverage.ts";
import {
  type ClientRuleCoverage,
  type CoverageKind,
  type CoverageReport,
  coverageKinds,
  type ErrorCodeCoverage,
  isCalled,
  type OperationCoverage,
  percentOf,
} from "../coverage-report.ts";
import { neverSeenIn } from "../never-seen.ts";
import { jsonText } from "./_json-text.ts";
import { markup } from "./_markup.ts";
import { htmlPage } from "./_page.ts";
import { items, list, section, table } from "./_page-parts.ts";
import { counted } from "./_phrases.ts";

/** Lines of outcomes that no test met, in a terminal. */
const linesMax = 20;

const names: Readonly<Record<CoverageKind, string>> = {
  operations: "operations",
  statuses: "statuses of these operations",
  "error-codes": "error codes of the ledger",
  "client-rules": "client rules of these operations",
};

/** Renders the coverage of a consumer for a terminal: a table, and what no test met. */
export function renderCoverage(report: CoverageReport): string {
  const missed = neverSeenIn(report);
  const more = missed.length - linesMax;
  return [
    headline(report),
    ...kindRows(report).map(
      ([name, share, percent]) => `  ${name.padEnd(34)}${share.padStart(9)}${percent.padStart(7)}`,
    ),
    ...(missed.length === 0 ? [] : ["Never seen:"]),
    ...missed.slice(0, linesMax).map(({ text, remedy }) => `  ${text} ${remedy}`),
    ...(more > 0 ? [`  … and ${more} more: --report coverage.html lists all.`] : []),
  ].join("\n");
}

function headline({ exchanges, unmatched, profiles }: CoverageReport): string {
  const against = profiles.map(({ ledger, registry }) => `${ledger} with registry ${registry}`).join(", ");
  const lost = unmatched === 0 ? "" : `, ${unmatched} of them outside the API`;
  return `API coverage of the clients: ${counted(exchanges, "exchange")}${lost}, compared with ${against}.`;
}

function kindRows(report: CoverageReport): readonly (readonly [name: string, share: string, percent: string])[] {
  return coverageKinds.map((kind) => {
    const { seen, expected } = report.kinds[kind];
    return [names[kind], `${seen} of ${expected}`, `${percentOf(report, kind)} %`];
  });
}

/** Renders the report as JSON, with the counts, so that `check coverage` can read it again. `schemas/coverage.schema.json` describes it. */
export function renderCoverageJson(report: CoverageReport, counts: readonly CoverageCounts[]): string {
  return jsonText({ version: 1, counts, report: { ...report, neverSeen: neverSeenIn(report) } });
}

/** Renders a self-contained HTML page. */
export function renderCoverageHtml(report: CoverageReport): string {
  const called = report.operations.filter(isCalled);
  return htmlPage(
    "understudy check coverage",
    markup`<header>
<h1>understudy check coverage</h1>
<p class="muted">${headline(report)}</p>
</header>`,
    [
      section("kinds", "Coverage", [table(["Kind", "Seen", "Share"], kindRows(report))]),
      section("never-seen", "Never seen", [items(neverSeenIn(report).map(({ text, remedy }) => `${text} ${remedy}`))]),
      section("seen", "Seen", [
        list("Operations, with statuses and error codes", called.map(operationLine)),
        list("Error codes of the ledger", report.errorCodes.map(errorCodeLine)),
        list("Client rules", report.clientRules.map(clientRuleLine)),
      ]),
    ],
  );
}

function operationLine({ operationId, statuses, codes }: OperationCoverage): string {
  return [operationId, countsText(statuses), countsText(codes)].filter((part) => part !== "").join(": ");
}

function errorCodeLine({ code, status, count, when }: ErrorCodeCoverage): string {
  return `${status} ${code}: ${counted(count, "exchange")}. ${when}`;
}

function clientRuleLine({ rule, exercised, broken, summary }: ClientRuleCoverage): string {
  return `${rule}: applied to ${counted(exercised, "exchange")}, broken by ${broken}. ${summary}`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name === "0" ? "incomplete" : name} (${count})`)
    .join(", ");
}
