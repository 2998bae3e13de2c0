import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Inspectors, startInspectors } from "./_inspector.ts";

let inspectors: Inspectors;

beforeAll(async () => {
  inspectors = await startInspectors();
});

afterAll(() => inspectors.close());

/** Tries each option of each select, and returns those that are wider than their select. */
const cutOptions = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll("select")]
    .filter((select) => select.checkVisibility())
    .flatMap((select) => {
      const before = select.selectedIndex;
      const cut = [...select.options].filter((option) => {
        select.selectedIndex = option.index;
        const { width } = select.getBoundingClientRect();
        select.style.cssText = "field-sizing: content; width: max-content; max-width: none; position: fixed";
        const isCut = select.getBoundingClientRect().width > width + 1;
        select.style.cssText = "";
        return isCut;
      });
      select.selectedIndex = before;
      return cut.map(({ text }) => text);
    })`);

test.each([390, 1280])("at a width of %d no option of a select is cut off", async (width) => {
  await using open = await inspectors.openInspector({ scenario: "reassignment-by-time", width });
  const { page } = open;
  const longest = "/v2/users/alice/identity-provider-id";
  await open.ask({ method: "PATCH", target: longest, body: {} }, { target: "/v2/users?pageToken=2" });
  await page.getByText("2 exchanges").waitFor();
  const filters = page.getByRole("button", { name: "Filters" });
  if (await filters.isVisible()) await filters.click();
  expect(await cutOptions(page)).toEqual([]);
  await page.getByRole("link", { name: "Timeline" }).click();
  await page.locator(".drawing").waitFor();
  await page.evaluate("for (const form of document.querySelectorAll('.hand details')) form.open = true");
  expect(await page.locator("select").count()).toBeGreaterThan(4);
  expect(await cutOptions(page)).toEqual([]);
});

const wallet = `external-wallet::1220${"ab12".repeat(16)}`;

test.each([
  [390, ""],
  [1280, ""],
  [1280, "/1"],
])("at a width of %d, with the address %s, a row has the method and both ends of its path", async (width, at) => {
  const place = `#/traffic/default${at}`;
  const targets = [`/v2/users/${wallet}/rights`, "/v2/interactive-submission/preferred-package-version"];
  const requests = targets.map((target) => ({ target }));
  await using open = await inspectors.openInspector({ requests, width, place });
  const rows = open.page.locator("[aria-rowindex] .cell-request > span");
  await expect.poll(() => rows.count()).toBe(2);
  const shown = await open.page.evaluate(`[...document.querySelectorAll("[aria-rowindex] .cell-request > span")]
    .map((row) => {
      const [method, path] = row.children;
      method.style.display = "inline-block";
      const [head, tail] = path.children;
      const isWhole = [method, tail].every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
      return isWhole && head.clientWidth > 10 && tail.textContent;
    })`);
  expect(shown).toEqual(["::1220ab…ab12/rights", "rred-package-version"]);
});

test.each([390, 800, 1280])("at a width of %d a row has its time of day and its duration, uncut", async (width) => {
  await using open = await inspectors.openInspector({ requests: [{ target: "/v2/users" }], width });
  const row = open.page.locator('[aria-rowindex="2"]');
  await row.waitFor();
  const cells = row.locator(":is(.cell-received, .cell-took)");
  expect(await cells.allInnerTexts()).toEqual([
    expect.stringMatching(width === 390 ? /^\d\d:\d\d:\d\d$/ : /^\d\d:\d\d:\d\d\.\d{3}$/),
    expect.stringMatching(/^[\d.,]+ ms$/),
  ]);
  const isCut = await cells.evaluateAll((all) => all.some((cell) => cell.scrollWidth > cell.clientWidth));
  expect(isCut).toBe(false);
});

test("the switch for the stub's responses says what it changes, or that it changes nothing", async () => {
  await using open = await inspectors.openInspector({
    requests: [{ target: "/v2/users?pageToken=2" }],
    isFaulty: true,
  });
  const { page } = open;
  const both = page.getByRole("checkbox", { name: "Check the stub too" });
  await both.check();
  await page.getByText("The responses of the stub add no problem: 1 exchange with problems, as before.").waitFor();
  const body = { users: [{ id: 5 }], nextPageToken: "" };
  await open.control("plan", { plan: [{ on: "getV2Users", instead: { status: 200, body } }] });
  await open.ask({ target: "/v2/users" });
  await page.getByText("The responses of the stub add 1 problem: 2 exchanges with problems, 1 before.").waitFor();
  await both.uncheck();
  await page.getByText("The responses of the stub").waitFor({ state: "detached" });
});
