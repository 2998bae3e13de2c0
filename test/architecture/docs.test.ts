import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { rules } from "../../src/checker/rules/index.ts";
import { root } from "./_sources.ts";

test("every test that docs/spec-coverage.md names exists", () => {
  const rows = [
    ...readFileSync(join(root, "docs/spec-coverage.md"), "utf8").matchAll(/^\| [\d., ]+ \| .+ \| (.+) \| `(.+)` \|$/gm),
  ];
  const missing = rows.filter(([, name = "", file = ""]) => !readFileSync(join(root, file), "utf8").includes(name));
  expect(missing.map(([row]) => row)).toEqual([]);
  expect(rows.length).toBeGreaterThan(40);
});

test("docs/coverage.md names every rule, and no other", () => {
  const page = readFileSync(join(root, "docs/coverage.md"), "utf8");
  const rows = [...page.matchAll(/^\| .+ \| (.+) \|$/gm)].map(([, cell = ""]) => cell);
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+)`/g)].map(([, id = ""]) => id));
  expect([...new Set(named)].sort()).toEqual(rules.map(({ id }) => id).sort());
  const traces = new Set(rules.filter(({ type }) => type === "trace").map(({ id }) => id));
  const marked = rows.flatMap((cell) => [...cell.matchAll(/`([a-z0-9-]+)` \(traces/g)].map(([, id = ""]) => id));
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
