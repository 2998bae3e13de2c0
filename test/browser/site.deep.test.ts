import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageText, root, siteFiles, sitePath } from "../../tools/site/pages.ts";
import { seriousFindings } from "./_axe.ts";
import { launchBrowser } from "./_browser.ts";

const folder = join(root, ".site");
const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};
const server = createServer(({ url = "/" }, response) => {
  const path = new URL(url, "http://site").pathname;
  const file = join(folder, path === "/" ? "index.html" : path);
  if (!existsSync(file)) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": mediaTypes[extname(file)] ?? "" }).end(readFileSync(file));
});
let browser: Browser;
let base = "";

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, "tools/site/site.ts")], { cwd: root });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  server.close();
});

interface Shown {
  readonly page: Page;
  /** Requests to other addresses or without success, and errors of scripts. */
  readonly noise: readonly string[];
}

async function show(path: string, width: number, colorScheme: "light" | "dark"): Promise<Shown> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const noise: string[] = [];
  page.on("response", (response) => {
    if (!response.ok() || !response.url().startsWith(base)) noise.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => noise.push(error.message));
  await page.goto(base + path, { waitUntil: "networkidle" });
  return { page, noise };
}

const built = new Map<string, string>();
function html(path: string): string | undefined {
  const file = join(folder, path);
  if (!built.has(path) && existsSync(file)) built.set(path, readFileSync(file, "utf8"));
  return built.get(path);
}

test("the site has every page, and every link of a page leads to a page with its anchor", () => {
  const pages = [...siteFiles].map((file) => sitePath(file).replace(/\.md$/, ".html"));
  const broken = pages.flatMap((path) => {
    const links = [...(html(path) ?? "").matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, href = ""]) => href);
    if (links.length === 0) return [`${path} has no links`];
    return [...new Set(links)]
      .filter((href) => !/^[a-z]+:/.test(href))
      .filter((href) => {
        const { pathname, hash } = new URL(href, `http://site/${path}`);
        const target = html(pathname.replace(/\/$/, "/index.html"));
        return target === undefined || !(hash === "" || target.includes(`id="${decodeURIComponent(hash.slice(1))}"`));
      })
      .map((href) => `${path}: ${href}`);
  });
  expect(broken).toEqual([]);
  expect(pages.length).toBeGreaterThan(60);
});

test("the site has llms.txt at its root, and the Markdown of every page that it names", () => {
  const links = [...readFileSync(join(folder, "llms.txt"), "utf8").matchAll(/\]\(([^)#]+)/g)].map(
    ([, link = ""]) => link,
  );
  expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
  expect(links.length).toBeGreaterThan(30);
});

const views = [
  ["/", 390, "dark"],
  ["/quickstart.html", 390, "light"],
  ["/reference/supported-endpoints.html", 1280, "dark"],
] as const;

test.each(views)(
  "%s at a width of %d in %s fits, loads only its own files, and axe finds nothing serious",
  async (path, width, scheme) => {
    const shown = await show(path, width, scheme);
    await expectSound(shown, width);
    await shown.page.close();
  },
);

async function expectSound({ page, noise }: Shown, width: number): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.getByRole("main").count()).toBe(1);
  expect(noise).toEqual([]);
}

test("the home page has the beginning of README.md, and the search finds an endpoint by keyboard", async () => {
  const shown = await show("/", 1280, "light");
  await expectSound(shown, 1280);
  const { page } = shown;
  const [, title = "", tagline = ""] = /^# (.+)\n\n(.+)\n/.exec(pageText("README.md")) ?? [];
  expect(await page.locator("h1").innerText()).toContain(title);
  expect(await page.locator(".tagline").innerText()).toBe(tagline);
  expect(await page.evaluate("document.querySelector('.vp-doc img').naturalWidth")).toBeGreaterThan(1000);
  const code = (await page.locator(".vp-doc pre").allInnerTexts()).join("\n");
  expect(code).toContain("npm install --save-dev canton-understudy");
  expect(code).toContain("understudy serve");
  await page.keyboard.press("Control+k");
  await page.getByRole("searchbox").fill("submit-and-wait");
  const results = page.locator(".VPLocalSearchBox .result");
  await results.first().waitFor();
  expect(await results.allInnerTexts()).toContainEqual(expect.stringContaining("Supported endpoints"));
  await page.keyboard.press("Enter");
  await page.waitForURL(`${base}/**/*.html*`);
  await page.close();
});
