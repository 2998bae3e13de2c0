import type { VerdictSummary } from "../../engine/verdict.ts";
import { divergenceUrl } from "../docs-links.ts";
import type { BaselineReport, ProbingReport, Report } from "../report.ts";
import { type Markup, markup, noMarkup } from "./_markup.ts";
import { folded, items, list, section, table } from "./_page-parts.ts";
import {
  driftByOperation,
  driftSentence,
  inconclusiveByRule,
  operationText,
  probesText,
  skippedByReason,
  statusesNotObservedOf,
  traceLimits,
} from "./_phrases.ts";

/** The known divergences that were observed, folded. */
export function knownSection({ knownDivergences }: VerdictSummary): Markup {
  if (knownDivergences.length === 0) return noMarkup;
  const rows = knownDivergences.map(({ id, title, count }) => [
    markup`<a href="${divergenceUrl(id)}">${id}</a>`,
    title,
    String(count),
  ]);
  return section("known", "Known divergences", [
    folded(
      `Observed (${rows.length})`,
      markup`<div class="known-table">${table(["Id", "Title", "Count"], rows)}</div>\n`,
    ),
  ]);
}

export function baselineSection(baseline: BaselineReport | undefined): Markup {
  if (baseline === undefined) return noMarkup;
  const { file, accepted, fixed, unchecked } = baseline;
  return section("baseline", "Baseline", [
    markup`<p>${file}: ${accepted.length} accepted, ${fixed.length} fixed, ${unchecked.length} not checked.</p>\n`,
    list("Fixed: no longer found", fixed),
    list("Accepted: found again", accepted),
    list("Not checked: the rule was not applied to this operation and status", unchecked),
  ]);
}

export function probingSection(probing: ProbingReport | undefined): Markup {
  if (probing === undefined) return noMarkup;
  const { probes, created, requests } = probing;
  const run = probes.filter(({ outcome }) => outcome === "run");
  const remaining = created.map(({ kind, id }) => `${kind} ${id}`);
  return section("probes", "Probes", [
    markup`<p>${probesText(probing)}.<br>Requests: ${requests}.</p>\n`,
    remaining.length === 0 ? noMarkup : markup`<h3>Created at the target and not removed</h3>\n${items(remaining)}`,
    ...skippedByReason(probes).map(({ name, members }) => list(`Skipped: ${name}`, members)),
    run.length === 0
      ? noMarkup
      : folded(
          `Run (${run.length})`,
          table(
            ["Probe", "Safety", "Does", "Reached"],
            run.map(({ id, safety, summary, reached }) => [id, safety, summary, reached.join(", ")]),
          ),
        ),
  ]);
}

/** How the description of the ledger differs from the profile. */
export function driftSection(report: Report): Markup {
  const sentence = driftSentence(report);
  if (sentence === undefined || report.drift === undefined) return noMarkup;
  const rows = driftByOperation(report.drift).map(({ name, members }) => [name, members.join("; ")]);
  return section("drift", "Drift", [
    markup`<p>${sentence}</p>\n`,
    rows.length === 0 ? noMarkup : table(["Operation", "Differences"], rows),
  ]);
}

/** The limits of the verdict. */
export function coverageSection(summary: VerdictSummary): Markup {
  const { divergencesNotObserved, operationsNotObserved, coverage } = summary;
  const operations = operationsNotObserved.map((operationId) => operationText(summary, operationId));
  const statuses = statusesNotObservedOf(summary).map(
    ({ name, members }) => `${operationText(summary, name)}: ${members.join(", ")}`,
  );
  const inconclusive = inconclusiveByRule(summary).map(({ name, members }) => `${name}: ${members.join(", ")}`);
  return section("coverage", "Coverage", [
    markup`<p class="muted">What the check did not observe or could not decide.</p>\n`,
    list("Operations not observed", operations),
    list("Statuses not observed", statuses),
    list("Rules not exercised", coverage.rulesNotExercised),
    list("Inconclusive rules", inconclusive),
    list("Limits of the trace rules", traceLimits(summary)),
    list("Known divergences not observed", divergencesNotObserved),
  ]);
}
