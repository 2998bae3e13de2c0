import type { CaseResult, Results } from "../results.ts";
import { serverKinds } from "../servers/servers.ts";
import { shown, shownRatio } from "./numbers.ts";
import { isOfServers, titleOf } from "./tables.ts";

// Sizes are in SVG units.
const width = 860;
const labelWidth = 150;
const barWidth = 470;
const barHeight = 16;
const barGap = 4;
const headHeight = 30;
const caseGap = 14;
const margin = 20;

/** Bars of one colour each, readable on white and on black; Understudy has its own colour. */
const colours: Readonly<Record<string, string>> = { understudy: "#2f81f7" };
const otherColour = "#8b949e";

/** A group of bars for each case in which servers were measured, as a self-contained SVG. */
export function chartOf({ cases, date, machine }: Results): string {
  const drawn = cases.filter(isOfServers);
  const parts: string[] = [];
  let top = margin + 34;
  for (const each of drawn) {
    parts.push(groupOf(each, top));
    top += heightOf(each);
  }
  const height = top + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">Understudy beside a bare server and its peers</title>
<style>
  text { font: 13px system-ui, sans-serif; fill: #57606a; }
  .case { font-weight: 600; fill: #24292f; }
  .small { font-size: 11px; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; }
    text { fill: #9da7b3; }
    .case { fill: #e6edf3; }
  }
</style>
<rect class="ground" width="${width}" height="${height}" fill="#ffffff"/>
<text x="${margin}" y="${margin + 14}" class="small">${escaped(`${date.slice(0, 10)}, ${machine.processor}, Node ${machine.node}; the number behind a bar, and its ratio to the bare server's`)}</text>
${parts.join("\n")}
</svg>
`;
}

/** Absent servers also have a row, unless no peer was measured. */
function rowsOf({ measurements, absences }: CaseResult) {
  const isOfPeers = measurements.some(({ subject }) => subject !== "understudy" && subject !== "bare");
  return serverKinds.flatMap(({ name }) => {
    const value = measurements.find(({ subject }) => subject === name)?.value;
    const isAbsent = isOfPeers && absences.some(({ subject }) => subject === name);
    return value !== undefined || isAbsent ? [{ name, value }] : [];
  });
}

function heightOf(each: CaseResult): number {
  return headHeight + rowsOf(each).length * (barHeight + barGap) + caseGap;
}

function groupOf(each: CaseResult, top: number): string {
  const rows = rowsOf(each);
  const most = Math.max(...rows.map(({ value }) => value ?? 0), Number.MIN_VALUE);
  const bare = rows.find(({ name }) => name === "bare")?.value;
  const sense = each.isHigherBetter ? "longer is better" : "shorter is better";
  const head = `<text x="${margin}" y="${top + 16}" class="case">${escaped(each.title.replaceAll("`", ""))}<tspan class="small" dx="8" font-weight="400">${escaped(`${each.unit}, ${sense}`)}</tspan></text>`;
  const bars = rows.map(({ name, value }, index) => {
    const y = top + headHeight + index * (barHeight + barGap);
    const length = value === undefined ? 0 : Math.max(1, (Math.max(0, value) / most) * barWidth);
    const ratio = value === undefined || bare === undefined || name === "bare" ? "" : ` (${shownRatio(value / bare)})`;
    const label = value === undefined ? "–" : `${shown(value)}${ratio}`;
    const bar = `<rect x="${margin + labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" fill="${colours[name] ?? otherColour}"/>`;
    return `<text x="${margin + labelWidth - 8}" y="${y + 13}" text-anchor="end">${escaped(titleOf(name))}</text>${bar}<text x="${(margin + labelWidth + length + 8).toFixed(1)}" y="${y + 13}">${escaped(label)}</text>`;
  });
  return [head, ...bars].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
