import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bounds } from "../../src/entrypoints/mcp/bounds.ts";
import { allTools } from "../../src/entrypoints/mcp/tools.ts";
import { connectedAssistant } from "./_assistant.ts";
import { root } from "./_command-line.ts";
import { stepsOf } from "./_guide.ts";
import { pageText } from "./_pages.ts";

const page = pageText("docs/assistants.md");

test("the page lists every tool with the first sentence of its description", () => {
  const rows = [...page.matchAll(/^\| `(\w+_?\w*)` \| (.+) \|$/gm)].map(([, name, effect]) => [name, effect]);
  const tools = allTools().map(({ name, description }) => [name, `${description.split(/(?<=\.) /)[0]}`]);
  expect(rows).toEqual(tools);
});

test("the page states every bound of the tools", () => {
  const [, table = ""] = page.split("| Limit | Value |");
  const stated = [...table.matchAll(/(?<= \|.*)\d[\d,]*/g)].map(([number]) => Number(number.replace(",", "")));
  expect(stated).toEqual(Object.values(bounds));
});

test("the calls of the session on the page give the results on the page", async () => {
  const { call } = await connectedAssistant();
  const values = stepsOf(page).flatMap((step) => (step.type === "value" ? [JSON.parse(step.text)] : []));
  const calls = values.flatMap((value, index) => (value.tool === undefined ? [] : [[value, values[index + 1]]]));
  expect(calls.length).toBeGreaterThan(6);
  for (const [{ tool, arguments: given }, shown] of calls) {
    const { isError, text, value } = await call(tool, given);
    expect(JSON.parse(JSON.stringify(isError ? { isError, text } : value))).toEqual(patternOf(shown));
  }
});

/** A result of the page as an expectation: `…` in a text, as the last entry of a list, or as a member, stands for anything. */
function patternOf(shown: unknown): unknown {
  if (typeof shown === "string")
    return shown.includes("…")
      ? expect.stringMatching(new RegExp(`^${shown.split("…").map(escaped).join(".*")}$`))
      : shown;
  if (Array.isArray(shown)) {
    const entries = shown.map(patternOf);
    return shown.at(-1) === "…" ? expect.arrayContaining(entries.slice(0, -1)) : entries;
  }
  if (typeof shown !== "object" || shown === null) return shown;
  const { "…": more, ...members } = Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, patternOf(value)]),
  );
  return more === undefined ? members : expect.objectContaining(members);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

test("llms.txt has the pages of every table of the index that the package contains, and they exist", () => {
  const linksIn = (text: string) =>
    new Set([...text.matchAll(/\[[^\]]+\]\(((?!\.\.|decisions\/)[^)#]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link));
  const listed = linksIn(pageText("docs/llms.txt"));
  expect([...linksIn(pageText("docs/README.md")).difference(listed)]).toEqual([]);
  expect([...listed].filter((link) => !existsSync(join(root, "docs", link)))).toEqual([]);
  expect(listed.size).toBeGreaterThan(30);
});
