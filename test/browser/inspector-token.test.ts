import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { tokenAccess } from "../../src/stub/control/token-check.ts";
import type { PageFiles } from "../../src/stub/inspection/page.ts";
import { launchBrowser } from "./_browser.ts";
import { buildPage, type Inspected, inspect } from "./_views.ts";

let browser: Browser;
let files: PageFiles;

beforeAll(async () => {
  [browser, files] = await Promise.all([launchBrowser(), buildPage()]);
});

afterAll(() => browser.close());

const token = "a-token-that-is-hard-to-guess";
const access = { ...loopbackAccess, token: tokenAccess(token) };

/** A stub that requires a token, and a page without a token. */
async function locked(): Promise<{ readonly stub: Inspected; readonly page: Page; readonly url: string }> {
  const stub = await inspect(browser, files, "quickstart", access);
  const page = await (await browser.newContext()).newPage();
  return { stub, page, url: `${stub.url}/__understudy/` };
}

test("the address with the token opens the inspector with full access", async () => {
  const { stub, page, url } = await locked();
  await using _ = stub;
  await page.goto(`${url}?token=${token}`);
  await page.getByText("live", { exact: true }).waitFor();
  expect(page.url()).toMatch(/\/__understudy\/(?:#.*)?$/);
  await stub.send("GET", "/v2/users?pageSize=2");
  await page.getByText("/v2/users?pageSize=2").first().waitFor();
  await page.goto(`${url}#/timeline/default`);
  await page.getByRole("button", { name: "Advance" }).click();
  const before = "2026-01-01T00:05:00.000Z";
  await expect
    .poll(() => stub.hosting.worlds.get("default")?.world.state.nowMs ?? 0)
    .toBeGreaterThan(Date.parse(before));
  expect(await page.evaluate("document.cookie")).toBe("");
  await page.context().close();
});

test("a browser without the token gets instructions, and a page of another port cannot use the cookie", async () => {
  const [{ stub, page, url }, other] = [await locked(), await inspect(browser, files)];
  await using _ = stub;
  await using __ = other;
  const refused = await page.goto(url);
  expect([refused?.status(), await refused?.text()]).toEqual([401, expect.stringContaining("?token=TOKEN")]);
  await page.goto(`${url}?token=${token}`);
  await page.getByText("live", { exact: true }).waitFor();
  // This page has no content security policy that would block the request.
  await page.goto(`${other.url}/livez`);
  await page.evaluate(
    `fetch("${stub.url}/__understudy/worlds/default/fork", { method: "POST", mode: "no-cors", credentials: "include" }).catch(() => undefined)`,
  );
  expect(stub.hosting.worlds.size).toBe(1);
  await page.context().close();
});
