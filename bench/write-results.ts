import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chartOf } from "./report/chart.ts";
import { pageOf, sectionOf, textOf } from "./report/page.ts";
import { withSection } from "./report/page-section.ts";
import { isOfServers } from "./report/tables.ts";
import type { Results } from "./results.ts";

const folder: string = fileURLToPath(new URL("results/", import.meta.url));
const page: string = fileURLToPath(new URL("../docs/performance.md", import.meta.url));

/** Prints the tables. A whole run is stored as `latest` and shown in docs/performance.md, a partial run as `part`, which git ignores. */
export function writeResults(results: Results, isWhole: boolean): void {
  const name = isWhole ? "latest" : "part";
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(`${folder}${name}.md`, pageOf(results).replace("latest.svg", `${name}.svg`));
  if (results.cases.some(isOfServers)) writeFileSync(`${folder}${name}.svg`, chartOf(results));
  if (isWhole) writeFileSync(page, withSection(readFileSync(page, "utf8"), sectionOf(results)));
  console.log(textOf(results));
  console.error(
    `\nwrote bench/results/${name}.md, ${name}.json and ${name}.svg${isWhole ? ", and the table in docs/performance.md" : ""}`,
  );
}
