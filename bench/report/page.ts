import { machineText } from "../conditions.ts";
import type { Results } from "../results.ts";
import {
  asMarkdown,
  asText,
  Footnotes,
  isOfServers,
  otherTable,
  processorTable,
  serverTable,
  type Table,
  targetTable,
} from "./tables.ts";

interface Part {
  readonly title: string;
  readonly table: Table;
}

function partsOf(results: Results, footnotes: Footnotes): readonly Part[] {
  const ofServers = results.cases.filter(isOfServers);
  const others = results.cases.filter((each) => !isOfServers(each));
  const parts = [
    { title: "Servers", table: ofServers.length === 0 ? [] : serverTable(ofServers, footnotes) },
    { title: "Processor time", table: processorTable(ofServers) },
    { title: "Without a server", table: otherTable(others, footnotes) },
    { title: "Targets", table: targetTable(results) },
  ];
  return parts.filter(({ table }) => table.length > 0);
}

/** The page with all results of a run. */
export function pageOf(results: Results): string {
  const footnotes = new Footnotes();
  const parts = partsOf(results, footnotes).map(({ title, table }) => `## ${title}\n\n${asMarkdown(table)}`);
  return [
    "# Results of the benchmark",
    introduction(results),
    ...(results.cases.some(isOfServers) ? ["![The same as bars](latest.svg)"] : []),
    ...parts,
    ...(footnotes.texts.length === 0
      ? []
      : [footnotes.texts.map((text, index) => `[${index + 1}] ${text}`).join("  \n")]),
    `## How it was measured\n\n${[...aboutCases(results), ...results.conditions].map((text) => `- ${text}`).join("\n")}`,
    `Versions: ${versionsText(results)}.\n`,
  ].join("\n\n");
}

function aboutCases({ cases }: Results): readonly string[] {
  return cases.map(({ title, about }) => `${title}: ${about}.`);
}

function introduction({ date, machine }: Results): string {
  return `${date.slice(0, 16).replace("T", " ")} UTC, ${machineText(machine)}. Medians. [bench/README.md](../README.md) describes the measurements and their limits.`;
}

function versionsText({ versions }: Results): string {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}

/** The same tables for a terminal. */
export function textOf(results: Results): string {
  const footnotes = new Footnotes();
  const parts = partsOf(results, footnotes).map(({ table }) => asText(table));
  return [...parts, footnotes.texts.map((text, index) => `[${index + 1}] ${text}`).join("\n")].join("\n\n").trimEnd();
}

/** The section of docs/performance.md: the servers, and how many targets are met. */
export function sectionOf(results: Results): string {
  const footnotes = new Footnotes();
  const table = serverTable(results.cases.filter(isOfServers), footnotes);
  const met = targetTable(results)
    .slice(1)
    .map((row) => row.at(-1));
  const date = results.date.slice(0, 10);
  return [
    `Measured with \`npm run bench\` on ${date}: ${machineText(results.machine)}. ${met.filter((text) => text === "met").length} of ${met.length} [targets](../bench/results/latest.md) are met.`,
    asMarkdown(table),
    ...(footnotes.texts.length === 0
      ? []
      : [footnotes.texts.map((text, index) => `[${index + 1}] ${text}`).join("  \n")]),
  ].join("\n\n");
}
