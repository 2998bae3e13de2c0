import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { rules } from "../../src/checker/rules/index.ts";
import { ledgerProfiles, registryProfiles } from "../../src/foundation/spec/generated/names.ts";
import { schemaTable } from "../../tools/reference/schema-rows.ts";
import { pageGroups, pageText, siteFiles, sitePath, slugOf } from "../../tools/site/pages.ts";
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

test("docs/README.md lists every page once, in the groups of the sidebar", () => {
  const groups = pageGroups();
  expect(groups.map(({ title }) => title)).toEqual(["Quickstart", "Concepts", "How-to", "Reference", "Internals"]);
  const listed = groups.flatMap(({ pages }) => pages.flatMap((page) => [page, ...page.parts]));
  const files = listed.map(({ file }) => file);
  expect([...files].sort()).toEqual([...siteFiles].filter((file) => !/^(?:docs\/)?README\.md$/.test(file)).sort());
  expect(listed.filter(({ title }) => title === "")).toEqual([]);
  expect(new Set([...siteFiles].map(sitePath)).size).toBe(siteFiles.size);
});

test("each row of docs/fidelity.md says what it rests on, and no list names an older release before a newer one", () => {
  const page = readFileSync(join(root, "docs/fidelity.md"), "utf8");
  const tables = page.split(/\n\n/).filter((part) => /^\| (?:Behaviour|Operation) \|.* Rests on \|\n/.test(part));
  const marks = tables
    .flatMap((table) => table.trimEnd().split("\n").slice(2))
    .map((row) => row.split("|").at(-2)?.trim());
  expect(marks.length).toBeGreaterThan(90);
  expect(marks.filter((mark = "") => !/^(?:–|(?:tested|recorded|source)(?:, inferred)?|inferred)$/.test(mark))).toEqual(
    [],
  );
  for (const [first = "", ...releases] of [ledgerProfiles, registryProfiles].map((names): readonly string[] => names))
    expect([first, ...releases]).toEqual(["spec", ...releases.toSorted().reverse()]);
});

test("every link of a page leads to a file, and its anchor to a heading or an id there", () => {
  const broken = [...siteFiles].flatMap((page) =>
    linksOf(pageText(page))
      .filter((href) => !/^[a-z]+:/.test(href))
      .filter((href) => {
        const [path = "", anchor] = href.split("#");
        const file = path === "" ? page : join(dirname(page), path);
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && !anchorsOf(file).has(decodeURIComponent(anchor));
      })
      .map((href) => `${page}: ${href}`),
  );
  expect(broken).toEqual([]);
});

test("a link of a page in the package leads to a file in the package; a picture, which is not there, has a text instead", () => {
  const { files: packed }: { readonly files: readonly string[] } = JSON.parse(pageText("package.json"));
  const lists = (file: string, mark: string) =>
    packed.some((path) => path.startsWith(mark) && `${file}/`.startsWith(`${path.slice(mark.length)}/`));
  const isPacked = (file: string) => file === "README.md" || (lists(file, "") && !lists(file, "!"));
  const picture = /!\[([^\]]*)\]\([^)]*\)/g;
  const pages = [...siteFiles].filter(isPacked);
  const dead = pages.flatMap((page) =>
    linksOf(pageText(page).replaceAll(picture, ""))
      .filter((href) => !/^[a-z]+:|^#/.test(href))
      .map((href) => join(dirname(page), href.replace(/#.*/, "")))
      .filter((file) => !isPacked(file) && !(page.endsWith("README.md") && linkedByIndexes.has(file)))
      .map((file) => `${page}: ${file}`),
  );
  expect(dead).toEqual([]);
  const texts = pages.flatMap((page) => [...pageText(page).matchAll(picture)].map(([, text = ""]) => text));
  expect(texts.filter((text) => !/\w+ \w+ \w+/.test(text))).toEqual([]);
  expect(["docs/serve.md", "docs/decisions/stores.md", "docs/images/a.png"].map(isPacked)).toEqual([
    true,
    false,
    false,
  ]);
});

/** Files that only the repository has, which README.md and the index link for its readers. */
const linkedByIndexes = new Set([
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "docs/decisions/README.md",
  "examples/README.md",
]);

/** A page without its blocks of code. */
function proseOf(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

function linksOf(text: string): readonly string[] {
  return [
    ...proseOf(text)
      .replaceAll(/`[^`\n]*`/g, "``")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, href = ""]) => href);
}

const known = new Map<string, ReadonlySet<string>>();

/** The anchors of a page: its headings, with a number from the second one with the same text on, and its ids. */
function anchorsOf(file: string): ReadonlySet<string> {
  const found = known.get(file);
  if (found !== undefined) return found;
  const text = proseOf(readFileSync(join(root, file), "utf8"));
  const counts = new Map<string, number>();
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
    const slug = slugOf(heading.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1"));
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  const anchors = new Set([...headings, ...[...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)]);
  known.set(file, anchors);
  return anchors;
}

test("a table of members has the values of all alternatives", () => {
  const alternative = (type: string) => ({ properties: { type: { const: type } } });
  const table = schemaTable({ oneOf: [alternative("assigned"), alternative("in-flight")] }, () => undefined);
  expect(table).toContain('| `type` | `"assigned"` or `"in-flight"` |  |');
});

test("the workflow of the site may read its settings, builds it and uploads its folder, with a version of each action", () => {
  const workflow = readFileSync(join(root, ".github/workflows/docs.yml"), "utf8");
  expect(parse(workflow).jobs.build.permissions).toEqual({ contents: "read", pages: "read" });
  expect(workflow).toContain("- run: npm run docs\n");
  expect(workflow).toContain("path: .site\n");
  expect(workflow.match(/uses: .*/g)?.filter((line) => !/^uses: actions\/[\w-]+@v\d+$/.test(line))).toEqual([]);
});
