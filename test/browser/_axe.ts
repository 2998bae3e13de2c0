import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All accessibility findings of axe: rule and element. */
export async function findingsOfAxe(page: Page): Promise<readonly string[]> {
  return (await findingsIn(page)).map(({ text }) => text);
}

/** Serious and critical findings, for pages whose layout comes from a library. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  return (await findingsIn(page))
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ text }) => text);
}

async function findingsIn(page: Page): Promise<readonly { readonly impact: string; readonly text: string }[]> {
  await page.evaluate(`${axe}; undefined`);
  return page.evaluate(`
    axe.run().then(({ violations }) => violations
      .flatMap(({ id, impact, nodes }) => nodes.map(({ target }) => ({ impact, text: id + " " + target.join(" ") }))))`);
}
