import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderHtml } from "../../src/checker/reports/formats/html.ts";
import type { Report } from "../../src/checker/reports/report.ts";
import { fineReport, overflowingReport, refusingReport, sampleReport } from "../acceptance/_report.ts";
import { launchBrowser } from "./_browser.ts";

const folder = mkdtempSync(join(tmpdir(), "understudy-report-"));
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Shown {
  readonly page: Page;
  /** What the page asked for besides itself, and what its console said. */
  readonly noise: readonly string[];
}

let shownCount = 0;

async function show(report: Report, width: number, colorScheme: "light" | "dark" = "light"): Promise<Shown> {
  shownCount += 1;
  const file = join(folder, `${shownCount}.html`);
  writeFileSync(file, renderHtml(report));
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const url = pathToFileURL(file).href;
  const noise: string[] = [];
  page.on("request", (request) => request.url() !== url && noise.push(`request ${request.url()}`));
  page.on("console", (message) => noise.push(`console ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error ${error.message}`));
  await page.goto(url);
  return { page, noise };
}

async function openAll(page: Page): Promise<void> {
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
}

const options = [380, 1200].flatMap((width) => (["light", "dark"] as const).map((scheme) => [width, scheme] as const));

test.each(options)(
  "fits a width of %d in %s, asks for nothing, and its console says nothing",
  async (width, scheme) => {
    for (const report of [sampleReport(), fineReport()]) {
      const { page, noise } = await show(report, width, scheme);
      await openAll(page);
      const widths = await page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]");
      expect(widths).toEqual([width, width]);
      expect(noise).toEqual([]);
      await page.close();
    }
  },
);

test.each(options)("all text at a width of %d in %s stands out from what is behind it", async (width, scheme) => {
  const { page } = await show(sampleReport(), width, scheme);
  await openAll(page);
  const contrasts = await page.evaluate<readonly { text: string; ratio: number }[]>(contrastsOnPage);
  expect(contrasts.length).toBeGreaterThan(100);
  expect(contrasts.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
  const background = await page.evaluate("getComputedStyle(document.body).backgroundColor");
  expect(background).toBe(scheme === "dark" ? "rgb(20, 22, 26)" : "rgb(255, 255, 255)");
  await page.close();
});

/** Contrast of each text with the first background behind it (WCAG 2.2, 1.4.3); code of the page. */
const contrastsOnPage = `
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const backgroundOf = (element) => {
    if (element === null) return "rgb(255, 255, 255)";
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === "rgba(0, 0, 0, 0)" ? backgroundOf(element.parentElement) : backgroundColor;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent.trim();
    if (text === "") continue;
    const element = node.parentElement;
    const pair = [getComputedStyle(element).color, backgroundOf(element)].map(luminance);
    found.push({ text: text.slice(0, 40), ratio: (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05) });
  }
  found`;

test("what a target sent is text, and its script does not run", async () => {
  const { page } = await show(sampleReport(), 1200);
  await openAll(page);
  expect(await page.title()).toBe("understudy check: fails");
  expect(await page.locator("script").count()).toBe(0);
  const responses = await page.locator(".finding pre").allTextContents();
  expect(responses.filter((text) => text.includes("<script>document.title="))).not.toEqual([]);
  expect(await page.locator("#probes li").first().textContent()).toContain('<script>document.title="taken"</script>');
  await page.close();
});

test("its policy stops an injected script, style and request", async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const added = `<script>document.title="taken"</script><style>body{display:none}</style><img src="http://127.0.0.1:${port}/">`;
  const file = join(folder, "changed.html");
  writeFileSync(file, renderHtml(sampleReport()).replace("<main>", `<main>${added}`));
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  expect(await page.title()).toBe("understudy check: fails");
  expect(await page.evaluate("getComputedStyle(document.body).display")).toBe("block");
  expect(requests).toBe(0);
  await page.close();
  server.close();
});

/** The table of an operation as rows of what a screen reader says. */
async function matrixOf(page: Page, operationId: string): Promise<readonly (readonly string[])[]> {
  const card = page.locator(".card", { has: page.getByRole("heading", { name: operationId, exact: true }) });
  return card
    .locator("tr")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((cell) => cell.querySelector(".words")?.textContent ?? cell.textContent ?? ""),
      ),
    );
}

test("has a cell for each operation, status and rule", async () => {
  const { page } = await show(sampleReport(), 380);
  const passed = (count: number) => `passed: PASS ${count} time${count === 1 ? "" : "s"}`;
  const known = "known: KNOWN 1 time";
  expect(await matrixOf(page, "getV2Users")).toEqual([
    ["Rule", "incomplete response", "200", "400"],
    ["body-is-utf8", "", passed(6), passed(1)],
    ["body-schema", "", "failed: FAIL 4 times, PASS 1 time, WARN 1 time", ""],
    ["complete-response", "failed: FAIL 1 time", passed(6), passed(1)],
    ["documented-status", "", passed(6), passed(1)],
    ["empty-page-is-last", "", passed(2), ""],
    ["equal-requests-agree", "", passed(5), passed(1)],
    ["error-codes-agree", "", "", passed(1)],
    ["ids-are-valid", "", passed(1), ""],
    ["known-members", "", "warned: PASS 2 times, WARN 4 times", passed(1)],
    ["ledger-400-is-text", "", "", known],
    ["ledger-error-shape", "", "", known],
    ["media-type", "", passed(6), ""],
    ["members-unique", "", passed(6), passed(1)],
    ["operation-exists", "", passed(5), passed(1)],
    ["page-token-advances", "", passed(5), ""],
    ["pages-complete", "", passed(4), ""],
    ["pages-disjoint", "", passed(5), ""],
    ["paging-ends", "", passed(5), ""],
    ["parameters-refused", "", "", passed(1)],
    ["plain-lists-accepted", "", passed(6), ""],
    ["success-is-no-error", "", passed(6), ""],
    ["token-required", "", passed(5), passed(1)],
  ]);
  expect(await matrixOf(page, "getV2Idps")).toContainEqual(["body-schema", "accepted: FAIL 1 time"]);
  expect(await page.locator(".card").count()).toBe(4);
  expect(await page.locator(".card[open] h3").allTextContents()).toEqual(["getV2Users", "postV2UsersUser-idRights"]);
  await page.close();
});

test("findings open by keyboard, from their own line and from the matrix", async () => {
  const { page } = await show(sampleReport(), 380);
  const open = page.locator("details.finding[open]");
  expect(await open.locator("#finding-1").count()).toBe(1);
  expect(await open.count()).toBe(1);
  const first = page.locator("details.finding", { has: page.locator("#finding-2") });
  const focused = () => page.evaluate(`document.activeElement.matches("summary:has(+ #finding-2)")`);
  for (let press = 0; press < 20 && !(await focused()); press += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await first.getAttribute("open")).toBe("");
  const outline = await first
    .locator("summary")
    .evaluate((summary) => summary.ownerDocument.defaultView?.getComputedStyle(summary).outlineStyle);
  expect(outline).toBe("solid");
  const broken = page.locator("details.finding", { has: page.locator("#finding-3") });
  const link = page.locator(`td.failed a[href="#finding-3"]`);
  await link.focus();
  await page.keyboard.press("Enter");
  await broken.locator("pre").first().waitFor({ state: "visible" });
  expect(await broken.getAttribute("open")).toBe("");
  await page.close();
});

test("says request, answer, place, section and how to repeat it", async () => {
  const { page } = await show(sampleReport(), 1200);
  const text = await page.locator("#finding-1").textContent();
  for (const part of [
    "/users/0/id must be string",
    "Spec§4Fingerprint",
    "GET http://node.example/v2/users",
    "Set-Cookie: [redacted]",
    `curl -sS -H "Authorization: Bearer $TOKEN"`,
    "body-schema getV2Users 200 /users/*/id type",
  ])
    expect(text).toContain(part);
  await page.close();
});

test("shows equal warnings as one finding, with all their places", async () => {
  const { page } = await show(refusingReport(), 380);
  const finding = page.locator("details.finding", { hasText: "refused-tokens-are-401" });
  expect(await finding.count()).toBe(1);
  expect(await finding.textContent()).toContain(
    "same finding in 2 places 403 for a request with an invalid token; a target that reads tokens as user ids responds with it 3 times",
  );
  expect(await finding.locator("dd").first().textContent()).toBe(
    "getV2Idps 403, GET /v2/idpsgetV2Users 403, GET /v2/users",
  );
  expect(await page.locator(`td.warned a[href="#finding-1"]`).count()).toBe(2);
  await page.close();
});

test("shows a thousand findings and says how many were dropped", async () => {
  const { page } = await show(overflowingReport(), 380);
  expect(await page.locator("details.finding").count()).toBe(1000);
  expect(await page.locator("#findings").textContent()).toContain("3 further violations of kinds beyond the limit.");
  await page.close();
});
