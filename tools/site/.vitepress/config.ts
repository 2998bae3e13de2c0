import { cpSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { type DefaultTheme, defineConfig, type MarkdownOptions } from "vitepress";
import {
  homePage,
  type ListedPage,
  type PageGroup,
  pageGroups,
  root,
  siteFiles,
  siteLink,
  sitePath,
  slugOf,
} from "../pages.ts";

const { version, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The path of a source file from the root of the repository. */
function fileOf(path: string): string {
  return relative(root, path).replaceAll("\\", "/");
}

type Renderer = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** Changes the links of a page, and lets readers scroll a wide table by keyboard. */
function adaptPages(markdown: Renderer): void {
  markdown.core.ruler.push("site-links", ({ tokens, env }) => {
    const from = fileOf(env.realPath ?? env.path ?? root);
    for (const { children } of tokens) adaptLinks(children ?? [], from);
  });
  markdown.renderer.rules["table_open"] = () => '<table tabindex="0">\n';
}

type Token = ReturnType<Renderer["parse"]>[number];

/** Links lead to pages of the site. A link to another file becomes its text, and the name of a page its title. */
function adaptLinks(tokens: readonly Token[], from: string): void {
  for (const [at, open] of tokens.entries()) {
    const href = open.type === "link_open" ? (open.attrGet("href") ?? "") : "";
    if (href === "") continue;
    const target = siteLink(from, href);
    const [text, close] = tokens.slice(at + 1);
    if (target === undefined)
      for (const token of [open, close]) Object.assign(token ?? {}, { type: "text", content: "" });
    else open.attrSet("href", target.link);
    if (text && target?.title && /^[\w-]+\.md$/.test(text.content)) text.content = target.title;
  }
}

function sidebarItem({ title, file, parts }: ListedPage): DefaultTheme.SidebarItem {
  const item = { text: title, link: `/${sitePath(file)}` };
  return parts.length === 0 ? item : { ...item, collapsed: true, items: parts.map(sidebarItem) };
}

function sidebarGroup({ title, pages }: PageGroup): DefaultTheme.SidebarItem {
  const items = pages.map(sidebarItem);
  return items.length === 1 ? { ...items[0] } : { text: title, items };
}

/** How much a search prefers a section: the questions of users come first, old changes last. It runs in the browser. */
function boostDocument(id: string): number {
  if (id.includes("/changelog.html")) return 0.4;
  return id.includes("/documentation.html#questions") ? 3 : 1;
}

const searchLabel = "Search (Ctrl K)";

/** Copies llms.txt, and the pages that it names as Markdown, for assistants. */
function copyTexts(target: string): void {
  const isText = (file: string) => /\.md$|[/\\]llms\.txt$/.test(file) || statSync(file).isDirectory();
  cpSync(join(root, "docs"), target, { recursive: true, filter: (file) => !/[/\\]images$/.test(file) && isText(file) });
}

export default defineConfig({
  title: "Understudy",
  description,
  lang: "en",
  base: process.env["DOCS_BASE"] ?? "/",
  srcDir: "../..",
  srcExclude: ["!(docs)/**/*", "docs/reference/api/**"],
  outDir: "../../.site",
  cacheDir: "../../node_modules/.cache/vitepress",
  rewrites: Object.fromEntries([...siteFiles].map((file) => [file, sitePath(file)])),
  markdown: {
    anchor: { slugify: slugOf },
    config: adaptPages,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  buildEnd: ({ outDir }) => copyTexts(outDir),
  // The layout of the home page has no main landmark, which screen readers jump to.
  transformHtml: (html, _file, { pageData }) =>
    pageData.frontmatter["layout"] === "home" ? html.replace('id="VPContent"', 'id="VPContent" role="main"') : html,
  vite: {
    logLevel: "warn",
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [
      {
        name: "home-page",
        enforce: "pre",
        transform: (text, id) => (id === join(root, "README.md") ? homePage(text) : undefined),
      },
    ],
  },
  themeConfig: {
    nav: [
      { text: "Quickstart", link: "/quickstart" },
      { text: "All pages", link: "/documentation" },
      {
        text: `Version ${version}`,
        items: [
          { text: "Changelog", link: "/changelog" },
          { text: "Other versions", link: "/versions#documentation-of-a-version" },
        ],
      },
    ],
    sidebar: pageGroups().map(sidebarGroup),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        translations: { button: { buttonText: searchLabel, buttonAriaLabel: searchLabel } },
        miniSearch: {
          searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, boostDocument },
        },
        _render: (text, env, markdown) =>
          markdown.render(fileOf(env.path) === "README.md" ? homePage(text) : text, env),
      },
    },
    footer: { message: `Understudy ${version}. Apache-2.0.` },
  },
});
