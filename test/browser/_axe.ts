import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All accessibility findings of axe: rule and element. */
export async function findingsOfAxe(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe}; undefined`);
  return page.evaluate<readonly string[]>(`
    axe.run().then(({ violations }) => violations
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + " " + target.join(" "))))`);
}
