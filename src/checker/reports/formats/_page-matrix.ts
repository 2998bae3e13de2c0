import type { CountedViolation } from "../../engine/verdict.ts";
import type { Report } from "../report.ts";
import { type Markup, markup, noMarkup } from "./_markup.ts";
import { type Cell, cellsOf, type Mark, marks } from "./_matrix.ts";
import { findingAnchor } from "./_page-findings.ts";
import { routeText, statusText, times, unseenStatusesOf } from "./_phrases.ts";

const signs: Readonly<Record<Mark, string>> = { failed: "✗", accepted: "○", known: "~", warned: "!", passed: "✓" };

/** A table for each operation: rules down, statuses across, so that it fits a phone. */
export function matrixSection(report: Report, violations: readonly CountedViolation[]): Markup {
  const indices = new Map(violations.map(({ fingerprint }, index) => [fingerprint, index]));
  const operations = Map.groupBy(cellsOf(report), ({ operationId }) => operationId);
  const unseen = new Map(unseenStatusesOf(report.summary).map(({ name, members }) => [name, members]));
  const cards = [...operations].map(([operationId, cells]) =>
    operationCard([operationId, routeText(report.summary, operationId)], cells, unseen.get(operationId) ?? [], indices),
  );
  return markup`<section id="matrix" aria-labelledby="matrix-title">
<h2 id="matrix-title">Operations, statuses and rules</h2>
<ul class="legend">${marks.map((mark) => markup`<li class="badge ${mark}">${signs[mark]} ${mark}</li>`)}</ul>
<div class="grid">
${cards}</div>
</section>
`;
}

function operationCard(
  [operationId, route]: readonly [string, string],
  cells: readonly Cell[],
  unseen: readonly string[],
  indices: ReadonlyMap<string, number>,
): Markup {
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((left, right) => left - right);
  const rows = [...Map.groupBy(cells, ({ rule }) => rule)].sort(([left], [right]) => (left < right ? -1 : 1));
  const head = statuses.map((status) => markup`<th scope="col">${statusHead(status)}</th>`);
  return markup`<div class="card">
<h3>${operationId}</h3>
<p class="muted">${route}</p>
<div class="scroll"><table class="matrix">
<thead><tr><th scope="col">Rule</th>${head}</tr></thead>
<tbody>
${rows.map(([rule, found]) => row(rule, statuses, found, indices))}</tbody>
</table></div>
${unseen.length === 0 ? noMarkup : markup`<p class="muted">Never seen: ${unseen.join(", ")}</p>\n`}</div>
`;
}

function statusHead(status: number): Markup {
  return status === 0 ? markup`–<span class="words">${statusText(status)}</span>` : markup`${status}`;
}

function row(
  rule: string,
  statuses: readonly number[],
  cells: readonly Cell[],
  indices: ReadonlyMap<string, number>,
): Markup {
  const found = statuses.map((status) => {
    const cell = cells.find((candidate) => candidate.status === status);
    return cell === undefined ? markup`<td></td>` : cellMarkup(cell, indices);
  });
  return markup`<tr><th scope="row">${rule}</th>${found}</tr>
`;
}

/** A cell is a link to the first of its findings. */
function cellMarkup({ mark, counts, violations }: Cell, indices: ReadonlyMap<string, number>): Markup {
  const words = Object.entries(counts)
    .map(([outcome, count]) => `${outcome} ${times(count ?? 0)}`)
    .join(", ");
  const sign = markup`<span aria-hidden="true">${signs[mark]}</span><span class="words">${mark}: ${words}</span>`;
  const places = violations.flatMap(({ fingerprint }) => indices.get(fingerprint) ?? []);
  const first = places.length === 0 ? undefined : Math.min(...places);
  const inner = first === undefined ? sign : markup`<a href="#${findingAnchor(first)}">${sign}</a>`;
  return markup`<td class="${mark}" title="${words}">${inner}</td>`;
}
