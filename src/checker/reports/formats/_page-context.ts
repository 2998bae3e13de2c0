import type { VerdictSummary } from "../../engine/verdict.ts";
import type { BaselineReport, ProbingReport } from "../report.ts";
import { type Markup, markup, noMarkup } from "./_markup.ts";
import { counted, memoryLimits, operationText, silencesByRule, skippedByReason, unseenStatusesOf } from "./_phrases.ts";

/** What is known of the release and was met. */
export function knownSection({ knownDivergences }: VerdictSummary): Markup {
  if (knownDivergences.length === 0) return noMarkup;
  const rows = knownDivergences.map(({ id, title, count }) => [id, title, String(count)]);
  return section("known", "Known divergences", [
    markup`<div class="known-table">${table(["Id", "Title", "Count"], rows)}</div>\n`,
  ]);
}

export function baselineSection(baseline: BaselineReport | undefined): Markup {
  if (baseline === undefined) return noMarkup;
  const { file, accepted, fixed, unchecked } = baseline;
  return section("baseline", "Baseline", [
    markup`<p>${file}: ${accepted.length} accepted, ${fixed.length} fixed, ${unchecked.length} not looked at.</p>\n`,
    list("Fixed: it did not come again", fixed),
    list("Accepted: it came again", accepted),
    list("Not looked at: its rule never looked at its operation at its status", unchecked),
  ]);
}

export function probingSection(probing: ProbingReport | undefined): Markup {
  if (probing === undefined) return noMarkup;
  const { probes, created, requests } = probing;
  const ran = probes.filter(({ outcome }) => outcome === "ran");
  const left = created.map(({ kind, id }) => `${kind} ${id}`);
  return section("probes", "Probes", [
    markup`<p>${ran.length} ran with ${counted(requests, "request")}, ${probes.length - ran.length} not run.</p>\n`,
    left.length === 0 ? noMarkup : markup`<h3>Created at the target and still there</h3>\n${items(left)}`,
    ...skippedByReason(probes).map(({ name, members }) => list(`Not run: ${name}`, members)),
    ran.length === 0
      ? noMarkup
      : folded(
          `Run (${ran.length})`,
          table(
            ["Probe", "Safety", "Does", "Reached"],
            ran.map(({ id, safety, summary, reached }) => [id, safety, summary, reached.join(", ")]),
          ),
        ),
  ]);
}

/** What the verdict does not rest on. */
export function coverageSection(summary: VerdictSummary): Markup {
  const { unusedDivergences, unseenOperations, coverage } = summary;
  const unseen = unseenOperations.map((operationId) => operationText(summary, operationId));
  const statuses = unseenStatusesOf(summary).map(
    ({ name, members }) => `${operationText(summary, name)}: ${members.join(", ")}`,
  );
  const silences = silencesByRule(summary).map(({ name, members }) => `${name}: ${members.join(", ")}`);
  return section("coverage", "Coverage", [
    markup`<p class="muted">What the verdict does not rest on.</p>\n`,
    list("Operations never seen", unseen),
    list("Statuses never seen", statuses),
    list("Rules that had nothing to look at", coverage.unusedRules),
    list("Rules that could not always tell", silences),
    list("Beyond what is remembered", memoryLimits(summary)),
    list("Known divergences that nothing met", unusedDivergences),
  ]);
}

function section(id: string, title: string, parts: readonly Markup[]): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${parts}</section>
`;
}

/** A list, folded under its title; nothing where it is empty. */
function list(title: string, members: readonly string[]): Markup {
  return members.length === 0 ? noMarkup : folded(`${title} (${members.length})`, items(members));
}

function items(members: readonly string[]): Markup {
  return markup`<ul>${members.map((member) => markup`<li>${member}</li>`)}</ul>\n`;
}

function folded(title: string, inner: Markup): Markup {
  return markup`<details><summary>${title}</summary><div class="body">${inner}</div></details>\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): Markup {
  return markup`<div class="scroll"><table>
<thead><tr>${head.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>
`;
}
