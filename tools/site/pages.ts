// The pages of the docs site: which files it serves, at which paths, and in which order.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** A page in the sidebar. `file` is its path from the root of the repository. */
export interface ListedPage {
  readonly title: string;
  readonly file: string;
  /** The pages of the folder that belongs to this page, such as one page for each client rule. */
  readonly parts: readonly ListedPage[];
}

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly ListedPage[];
}

export const indexFile = "docs/README.md";
/** The API reports are long listings for reviews; the site has the page of the library instead. */
const reports = "docs/reference/api/";
const rootPages = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
const groupTitles = ["Quickstart", "Concepts", "How-to", "Reference", "Internals"];

/** The files that the site serves, as paths from the root of the repository. */
export const siteFiles: ReadonlySet<string> = new Set([
  ...rootPages,
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".md") && !file.startsWith(reports))
    .sort(),
]);

/** The groups of the sidebar, read from the index: each link to a whole page, once, below the titles of the groups. */
export function pageGroups(index: string = pageText(indexFile)): readonly PageGroup[] {
  const seen = new Set<string>();
  return index
    .split(/^## /m)
    .map((section) => ({ title: section.slice(0, section.indexOf("\n")), section }))
    .filter(({ title }) => groupTitles.includes(title))
    .map(({ title, section }) => {
      const pages = [...section.matchAll(/\[([^\]]+)\]\(([^)#:]+\.md)\)/g)]
        .map(([, text = "", path = ""]) => ({ title: text, file: posix.join("docs", path) }))
        .filter(({ file }) => !seen.has(file) && seen.add(file))
        .map((page) => ({ ...page, parts: partsOf(page.file) }));
      return { title, pages };
    });
}

/** The pages of the folder of a page: `docs/x/…` for `docs/x.md` and for `docs/x/README.md`. */
function partsOf(file: string): readonly ListedPage[] {
  const folder = file.endsWith("/README.md") ? `${dirname(file)}/` : file.replace(/\.md$/, "/");
  return [...siteFiles]
    .filter((other) => other !== file && dirname(other) === folder.slice(0, -1))
    .map((other) => ({ title: titleOf(pageText(other)), file: other, parts: [] }));
}

export function pageText(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? "";
}

/** The path of a file on the site, from its root: `quickstart.md` for `docs/quickstart.md`. */
export function sitePath(file: string): string {
  if (file === "README.md") return "index.md";
  if (file === indexFile) return "documentation.md";
  if (rootPages.includes(file)) return file.toLowerCase();
  return file.replace(/^docs\//, "").replace(/README\.md$/, "index.md");
}

/** A link of the site; `title` is the title of the page that it leads to. */
interface SiteLink {
  readonly link: string;
  readonly title?: string;
}

/** A link of a file as a link of the site; undefined if the site does not serve its target. */
export function siteLink(from: string, href: string): SiteLink | undefined {
  if (/^(?:[a-z]+:|#)/.test(href)) return { link: href };
  const [path = "", anchor] = href.split("#");
  const file = posix.join(posix.dirname(from), decodeURIComponent(path));
  if (!siteFiles.has(file)) return undefined;
  return { link: `/${sitePath(file)}${anchor === undefined ? "" : `#${anchor}`}`, title: titleOf(pageText(file)) };
}

/** The id of a heading, as GitHub forms it. So an anchor is the same on the site, on GitHub and in an editor. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

/** The home page: the first sections of README.md, with its title and first paragraph as the head of the page. */
export function homePage(readme: string): string {
  const [beginning = ""] = readme.split(/^## In a test$/m);
  const [, title = "", tagline = "", rest = ""] = /^# (.+)\n\n(.+)\n\n([\s\S]*)$/.exec(beginning) ?? [];
  const head = {
    layout: "home",
    title,
    hero: {
      name: title,
      tagline,
      actions: [
        { theme: "brand", text: "Quickstart", link: "/quickstart" },
        { theme: "alt", text: "Test an application", link: "/consumer-tests" },
        { theme: "alt", text: "Check a node", link: "/check-target" },
      ],
    },
  };
  return `---\n${JSON.stringify(head)}\n---\n\n${rest}`;
}
