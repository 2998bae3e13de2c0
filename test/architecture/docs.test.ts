import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { rules } from "../../src/checker/rules/index.ts";
import { root } from "./_sources.ts";

/** The cells of the rows of the table of docs/spec-coverage.md. */
const coverage = [
  ...readFileSync(join(root, "docs/spec-coverage.md"), "utf8").matchAll(/^\| §[\d.]+ \| .+ \| (.+) \| (.+) \|$/gm),
].map(([row, rulesCell = "", testCell = ""]) => ({ row, rulesCell, testCell }));

test("every test that docs/spec-coverage.md names exists", () => {
  const named = coverage.flatMap(({ testCell }) =>
    [...testCell.matchAll(/`([^`]+)` "(.+?)"(?:; |$)/g)].map(([text, file = "", name = ""]) => ({ text, file, name })),
  );
  const missing = named.filter(({ file, name }) => !readFileSync(join(root, file), "utf8").includes(name));
  expect(missing.map(({ text }) => text)).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
  const unread = coverage.filter(({ testCell }) => !/^(?:–|`[^`]+` ".+?"(?:; `[^`]+` ".+?")*)$/.test(testCell));
  expect(unread.map(({ row }) => row)).toEqual([]);
});

test("docs/spec-coverage.md names every rule, and no other", () => {
  const cells = coverage.map(({ rulesCell }) => rulesCell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+)`/g)].map(([, id = ""]) => id));
  expect([...new Set(named)].sort()).toEqual(rules.map(({ id }) => id).sort());
  const traces = new Set(rules.filter(({ type }) => type === "trace").map(({ id }) => id));
  const marked = cells.flatMap((cell) => [...cell.matchAll(/`([a-z0-9-]+)` \(traces/g)].map(([, id = ""]) => id));
  expect(new Set(marked)).toEqual(traces);
});

test("every file that the README and the pages of docs name exists", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => `docs/${file}`),
  ];
  const missing = pages.flatMap((page) =>
    [
      ...readFileSync(join(root, page), "utf8").matchAll(
        /(?:`|\]\()((?:contracts|docs|schemas|scenarios|fixtures|tools|test|src|\.ci)\/[\w./-]+)(?:`|\))/g,
      ),
    ]
      .map(([, path = ""]) => path)
      .filter(
        (path) => ![root, join(root, dirname(page)), join(root, "src")].some((from) => existsSync(join(from, path))),
      )
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});
