import type { Report } from "../report.ts";
import { type Markup, markup, noMarkup } from "./_markup.ts";
import { type Cell, cellsOf, type Mark, marks, type ViolationGroup } from "./_matrix.ts";
import { findingAnchor } from "./_page-findings.ts";
import { routeText, statusesNotObservedOf, statusText, times } from "./_phrases.ts";

const symbols: Readonly<Record<Mark, string>> = { failed: "✗", accepted: "○", known: "~", warned: "!", passed: "✓" };

/** One table per operation with rules as rows and statuses as columns; it fits a phone screen. Those with failures are open. */
export function matrixSection(report: Report, groups: readonly ViolationGroup[]): Markup {
  const indices = new Map(
    groups.flatMap((group, index) => group.map(({ fingerprint }) => [fingerprint, index] as const)),
  );
  const operations = Map.groupBy(cellsOf(report), ({ operationId }) => operationId);
  const unobserved = new Map(statusesNotObservedOf(report.summary).map(({ name, members }) => [name, members]));
  const cards = [...operations].map(([operationId, cells]) =>
    operationCard(
      [operationId, routeText(report.summary, operationId)],
      cells,
      unobserved.get(operationId) ?? [],
      indices,
    ),
  );
  return markup`<section id="matrix" aria-labelledby="matrix-title">
<h2 id="matrix-title">Operations, statuses and rules</h2>
<ul class="legend">${marks.map((mark) => markup`<li class="badge ${mark}">${symbols[mark]} ${mark}</li>`)}</ul>
<div class="grid">
${cards}</div>
</section>
`;
}

function operationCard(
  [operationId, route]: readonly [string, string],
  cells: readonly Cell[],
  unobserved: readonly string[],
  indices: ReadonlyMap<string, number>,
): Markup {
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((left, right) => left - right);
  const rows = [...Map.groupBy(cells, ({ rule }) => rule)].sort(([left], [right]) => (left < right ? -1 : 1));
  const head = statuses.map((status) => markup`<th scope="col">${statusHead(status)}</th>`);
  const worst = marks.find((mark) => cells.some((cell) => cell.mark === mark)) ?? "passed";
  return markup`<details class="card"${worst === "failed" ? markup` open` : noMarkup}>
<summary><h3>${operationId}</h3> <span class="badge ${worst}">${symbols[worst]} ${worst}</span>
<span class="muted">${route}</span></summary>
<div class="body"><div class="scroll"><table class="matrix">
<thead><tr><th scope="col">Rule</th>${head}</tr></thead>
<tbody>
${rows.map(([rule, found]) => row(rule, statuses, found, indices))}</tbody>
</table></div>
${unobserved.length === 0 ? noMarkup : markup`<p class="muted">Not observed: ${unobserved.join(", ")}</p>\n`}</div>
</details>
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

/** A cell links to its first finding. */
function cellMarkup({ mark, counts, violations }: Cell, indices: ReadonlyMap<string, number>): Markup {
  const words = Object.entries(counts)
    .map(([outcome, count]) => `${outcome} ${times(count ?? 0)}`)
    .join(", ");
  const symbol = markup`<span aria-hidden="true">${symbols[mark]}</span><span class="words">${mark}: ${words}</span>`;
  const places = violations.flatMap(({ fingerprint }) => indices.get(fingerprint) ?? []);
  const first = places.length === 0 ? undefined : Math.min(...places);
  const inner = first === undefined ? symbol : markup`<a href="#${findingAnchor(first)}">${symbol}</a>`;
  return markup`<td class="${mark}" title="${words}">${inner}</td>`;
}
