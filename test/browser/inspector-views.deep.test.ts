import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageFiles } from "../../src/stub/inspection/page.ts";
import { faultyStubs } from "../_faulty-stubs.ts";
import { findingsOfAxe } from "./_axe.ts";
import { launchBrowser } from "./_browser.ts";
import { buildPage, type Inspected, inspect } from "./_views.ts";

let browser: Browser;
let files: PageFiles;

beforeAll(async () => {
  [browser, files] = await Promise.all([launchBrowser(), buildPage()]);
});

afterAll(() => browser.close());

const served = (scenario?: string) => inspect(browser, files, scenario);
const newUser = (id: string) => ({
  user: { id, primaryParty: "", isDeactivated: false, identityProviderId: "" },
  rights: [],
});
const grant = { userId: "alice", rights: [{ kind: { ParticipantAdmin: { value: {} } } }], identityProviderId: "" };

/** Two grants, with something between that changes nothing. */
async function granted(stub: Inspected): Promise<void> {
  await stub.send("POST", "/v2/users/alice/rights", grant);
  await stub.send("GET", "/v2/users");
  await stub.send("POST", "/v2/users", newUser("zoe"));
}

const row = (page: Page, id: string) => page.locator("tbody tr", { has: page.getByText(new RegExp(`^${id}\\b`)) });

test("steps through the changes and shows the world after each", async () => {
  await using stub = await served();
  await granted(stub);
  const { page, noise } = await stub.open("world/default");
  await row(page, "zoe").waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByText("The world after exchange 3 of 3").waitFor();
  await page.waitForURL(/#\/world\/default\/3$/);
  await row(page, "zoe").getByText("added").waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await row(page, "alice").getByText("changed").waitFor();
  await page.waitForURL(/\/1$/);
  expect(await row(page, "zoe").count()).toBe(0);
  expect(await row(page, "alice").innerText()).toContain("ParticipantAdmin");
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByText("before its first exchange").waitFor();
  await expect.poll(() => row(page, "alice").innerText()).not.toContain("ParticipantAdmin");
  await page.getByRole("button", { name: "Last change" }).click();
  await row(page, "zoe").waitFor();
  await page.getByRole("button", { name: "Now", exact: true }).click();
  await page.getByText("The world now, after 3 exchanges").waitFor();
  expect(noise).toEqual([]);
});

test("a past point in time is stable during traffic, and now follows it", async () => {
  await using stub = await served();
  await granted(stub);
  const { page } = await stub.open("world/default/3");
  await row(page, "zoe").waitFor();
  const other = (await stub.open("world/default")).page;
  await stub.send("POST", "/v2/users", newUser("yves"));
  await row(other, "yves").waitFor();
  await page.getByText("exchange 3 of 4").waitFor();
  expect(await row(page, "yves").count()).toBe(0);
});

test("the start is before the first exchange in the journal", async () => {
  await using stub = await served();
  for (let index = 0; index < 1003; index += 1) await stub.send("GET", "/v2/idps");
  const { page } = await stub.open("world/default");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText("The world before exchange 4, the first in the journal.").waitFor();
});

test("shows the changes of an exchange in every table", async () => {
  await using stub = await served();
  await granted(stub);
  const { page } = await stub.open("world/default/3");
  const changes = page.getByRole("list", { name: "Changes of this exchange" });
  await changes.getByText("zoe: added").waitFor();
  expect(await page.getByRole("tab", { name: "Users" }).innerText()).toContain("1 changed");
  await page.getByRole("tab", { name: "Users" }).press("ArrowRight");
  await page.getByRole("tab", { name: "Parties", selected: true }).waitFor();
  await changes.getByRole("button", { name: "Users" }).click();
  await page.getByRole("tab", { name: "Users", selected: true }).waitFor();
});

test("searches rows, and loads more on request", async () => {
  await using stub = await served();
  for (let index = 0; index < 210; index += 1) await stub.send("POST", "/v2/users", newUser(`many-${index}`));
  const { page } = await stub.open("world/default");
  await page.getByText("the first 200 rows").waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await expect.poll(() => page.locator("tbody tr").count()).toBeGreaterThan(210);
  await page.getByLabel("Search users").fill("many-20");
  await page.getByText("11 rows found").waitFor();
  expect(await page.locator("tbody tr").count()).toBe(11);
});

test("forks from a point in time and opens the fork", async () => {
  await using stub = await served();
  await granted(stub);
  const { page } = await stub.open("world/default/1");
  await row(page, "alice").getByText("changed").waitFor();
  await page.getByRole("button", { name: "Fork from here" }).click();
  await page.getByText("The world now, after 0 exchanges").waitFor();
  expect(await row(page, "alice").innerText()).toContain("ParticipantAdmin");
  expect(await row(page, "zoe").count()).toBe(0);
  expect(stub.hosting.worlds.size).toBe(2);
  const path = (await page.getByText("This world is served under").locator("code").textContent()) ?? "";
  expect((await stub.send("GET", `${path}/v2/users`)).status).toBe(200);
  await page.getByText("The world now, after 1 exchange").waitFor();
  await page.getByRole("button", { name: "Remove the world…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the world" }).click();
  await row(page, "zoe").waitFor();
  expect(stub.hosting.worlds.size).toBe(1);
});

test("resets a world only after confirmation", async () => {
  await using stub = await served();
  await granted(stub);
  const { page } = await stub.open("world/default");
  await row(page, "zoe").waitFor();
  await page.getByRole("button", { name: "Reset the world…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(await row(page, "zoe").count()).toBe(1);
  await page.getByRole("button", { name: "Reset the world…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset the world" }).click();
  await page.getByText("after 0 exchanges").waitFor();
  await expect.poll(() => row(page, "zoe").count()).toBe(0);
});

test("clears the selection in every view when the world is reset", async () => {
  await using stub = await served();
  await granted(stub);
  const { page, noise } = await stub.open("world/default/3");
  await row(page, "zoe").waitFor();
  await page.getByRole("link", { name: "Timeline" }).click();
  await page
    .getByRole("button", { name: /^Succeeded: / })
    .first()
    .press("Enter");
  await page.getByRole("region", { name: "Exchanges of the selected mark" }).waitFor();
  await stub.send("POST", "/__understudy/worlds/default/reset", {});
  await page.getByRole("region", { name: "Exchanges of the selected mark" }).waitFor({ state: "detached" });
  await page.waitForURL(/#\/timeline\/default$/);
  await page.getByRole("link", { name: "World" }).click();
  await page.getByText("The world now, after 0 exchanges").waitFor();
  expect(noise).toEqual([]);
});

test("an invalid address opens the traffic view", async () => {
  await using stub = await served();
  const { page, noise } = await stub.open("%/default/x");
  await page.getByRole("heading", { name: "Waiting for requests" }).waitFor();
  expect(await page.locator('nav [aria-current="page"]').allTextContents()).toEqual(["Traffic"]);
  expect(noise).toEqual([]);
});

test("reconnects to the stub after another server used its port", async () => {
  await using stub = await served();
  const { page } = await stub.open("traffic/default");
  await page.route("**/__understudy/events", (route) => route.fulfill({ status: 503, body: "full" }));
  await page.reload();
  await page.getByText("not connected").waitFor();
  await page.unroute("**/__understudy/events");
  await page.getByText("live", { exact: true }).waitFor();
});

test("a hidden page closes its connection, and catches up when visible", async () => {
  await using stub = await served();
  const { page } = await stub.open("traffic/default");
  const listened = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/events"));
  const turn = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"))`);
  await turn(true);
  await listened;
  await granted(stub);
  await turn(false);
  await page.getByText("3 exchanges").waitFor();
});

test.each(["reassignment-by-time", "reassignment-by-calls", "reassignment-by-steps"])(
  "draws the window of %s as a bar, and its 409s in a shape of their own",
  async (scenario) => {
    await using stub = await served(scenario);
    const { page, noise } = await stub.open("timeline/default");
    await page.getByText("Virtual time").waitFor();
    expect(await page.locator(".bar").count()).toBe(0);
    await stub.play();
    const bar = page.locator(".bar", { has: page.getByText("external-party-amulet-rules in flight from") });
    await bar.waitFor();
    const conflicts = page.getByRole("button", { name: /^409 Conflict: / });
    await conflicts.first().waitFor();
    const [conflict, fine] = await Promise.all(
      [conflicts, page.getByRole("button", { name: /^Succeeded: / })].map((marks) =>
        marks.first().locator("path").getAttribute("d"),
      ),
    );
    expect(conflict).not.toBe(fine);
    expect(noise).toEqual([]);
  },
);

test("draws the bar of a reassignment over its period, with the 409s within", async () => {
  await using stub = await served("reassignment-by-time");
  await stub.play();
  const { page } = await stub.open("timeline/default");
  await page.getByRole("button", { name: /^409 Conflict: / }).waitFor();
  await page.locator(".bar rect").waitFor();
  // Both boxes are read at once, since the chart widens while exchanges load.
  const boxes = await page.evaluate(
    "['.bar rect', '[aria-label^=\"409 Conflict: \"] path'].map((found) => document.querySelector(found).getBoundingClientRect().toJSON())",
  );
  expect(boxes).toEqual([expect.anything(), expect.anything()]);
  const [bar, conflict]: readonly { readonly x: number; readonly width: number }[] = JSON.parse(JSON.stringify(boxes));
  const middle = (conflict?.x ?? 0) + (conflict?.width ?? 0) / 2;
  expect(middle).toBeGreaterThanOrEqual((bar?.x ?? 0) - 1);
  expect(middle).toBeLessThanOrEqual((bar?.x ?? 0) + (bar?.width ?? 0) + 1);
  expect(bar?.width).toBeGreaterThan(50);
  await page.getByText("Show as table").click();
  await page.getByRole("row", { name: /external-party-amulet-rules .* 00:05:30 to 00:05:42/ }).waitFor();
});

test("draws a mark for each of a few exchanges with one timestamp, and each can be clicked", async () => {
  await using stub = await served();
  for (let index = 0; index < 7; index += 1) await stub.send("GET", "/v2/users");
  const { page } = await stub.open("timeline/default");
  const marks = page.getByRole("button", { name: /^Succeeded: exchange \d at 2026-01-01 00:05:00/ });
  await expect.poll(() => marks.count()).toBe(7);
  const link = page.getByRole("region", { name: "Exchanges of the selected mark" }).getByRole("link");
  for (const number of [3, 4]) {
    await marks.nth(number - 1).click();
    await link.getByText(`${number}: GET getV2Users`).waitFor();
    expect(await link.count()).toBe(1);
  }
});

test("draws many exchanges with one timestamp as one mark, and lists them with links", async () => {
  await using stub = await served();
  for (let index = 0; index < 17; index += 1) await stub.send("GET", "/v2/users");
  const { page } = await stub.open("timeline/default");
  const mark = page.getByRole("button", { name: /^Succeeded: 17 exchanges/ });
  await mark.focus();
  await mark.press("Enter");
  const list = page.getByRole("region", { name: "Exchanges of the selected mark" });
  await list.waitFor();
  expect(await list.getByRole("link").count()).toBe(17);
  await stub.send("GET", "/v2/users");
  await expect.poll(() => list.getByRole("link").count()).toBe(18);
  await list.getByRole("link").nth(2).click();
  await expect.poll(() => page.url()).toMatch(/#\/traffic\/default\/3$/);
});

test("zooms and moves by buttons and by keys", async () => {
  await using stub = await served("reassignment-by-time");
  await stub.play();
  const { page } = await stub.open("timeline/default");
  // The chart widens when the exchanges are loaded, then keeps its width.
  await page.getByRole("button", { name: /^409 Conflict: / }).waitFor();
  const width = async () => (await page.locator(".bar rect").boundingBox())?.width ?? 0;
  const before = await width();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(width).toBeGreaterThan(before * 1.9);
  await page.locator(".drawing").press("-");
  await expect.poll(width).toBeLessThan(before * 1.1);
  const left = async () => (await page.locator(".bar rect").boundingBox())?.x ?? 0;
  const at = await left();
  await page.locator(".drawing").press("ArrowRight");
  await expect.poll(left).toBeLessThan(at - 50);
  await page.getByRole("button", { name: "Show all" }).click();
  await expect.poll(left).toBeCloseTo(at, 0);
});

test("advances the clock by a preset and by a typed duration, and shows an error for an invalid one", async () => {
  await using stub = await served("reassignment-by-time");
  const { page } = await stub.open("timeline/default");
  await page.getByRole("button", { name: "+ 30 s" }).click();
  await page.getByText("Virtual time is now 2026-01-01 00:05:30.").waitFor();
  await page.getByRole("listitem").filter({ hasText: "is unassigned, in flight to" }).getByText("(applied)").waitFor();
  await page.getByLabel("By", { exact: true }).fill("ten minutes");
  await page.getByRole("button", { name: "Advance", exact: true }).click();
  await page.getByRole("alert").getByText('Use an ISO-8601 duration such as "PT30S"').waitFor();
  await page.getByLabel("By", { exact: true }).fill("PT10M");
  await page.getByRole("button", { name: "Advance", exact: true }).click();
  await page.getByText("Virtual time is now 2026-01-01 00:15:30.").waitFor();
});

test("begins and completes a reassignment manually", async () => {
  await using stub = await served("reassignment-by-steps");
  const { page } = await stub.open("timeline/default");
  const form = page.getByRole("region", { name: "Reassign a contract" });
  await form.getByLabel("Contract").selectOption("external-party-amulet-rules");
  await form.getByRole("button", { name: "Complete" }).click();
  await form.getByRole("alert").getByText("is not being reassigned").waitFor();
  await form.getByLabel(/^To /).selectOption("synchronizer-b");
  await form.getByRole("button", { name: "Begin" }).click();
  await page.locator(".bar.open").waitFor();
  await form.getByRole("button", { name: "Complete" }).click();
  await page.getByText("external-party-amulet-rules is assigned.").waitFor();
  await expect.poll(() => page.locator(".bar.open").count()).toBe(0);
});

test("injects a fault into the next calls", async () => {
  await using stub = await served();
  const { page } = await stub.open("timeline/default");
  const form = page.getByRole("form", { name: "Inject a fault" });
  await form.getByLabel("Operation").selectOption("getV2Users");
  await form.getByLabel("Fault").selectOption("status");
  await form.getByRole("spinbutton", { name: "Status" }).fill("503");
  await form.getByLabel("Body").fill('{"error": "busy"}');
  await form.getByLabel("From call").fill("2");
  await form.getByLabel("Times").fill("2");
  await form.getByRole("button", { name: "Inject" }).click();
  await page.getByText("call 2 of getV2Users:").waitFor();
  const statuses: number[] = [];
  for (let call = 0; call < 4; call += 1) statuses.push((await stub.send("GET", "/v2/users")).status);
  expect(statuses).toEqual([200, 503, 503, 200]);
  await expect.poll(() => page.getByRole("button", { name: /^Failed .*: exchange/ }).count()).toBe(2);
  await form.getByRole("spinbutton", { name: "Status" }).fill("5");
  await form.getByRole("button", { name: "Inject" }).click();
  await expect.poll(() => form.getByRole("alert").innerText()).not.toBe("");
});

test("updates the verdict during traffic, with broken rules and links to their exchanges", async () => {
  const sharedStubs = faultyStubs({ ledger: "spec", registry: "spec" });
  await using stub = await inspect(browser, files, undefined, undefined, { sharedStubs });
  const { page, noise } = await stub.open("verdict/default");
  await page.getByText("The client has broken no client rule.").waitFor();
  await page.getByRole("checkbox", { name: "Check the stub too" }).check();
  await page.getByText("No exchange was checked yet.").waitFor();
  await stub.send("GET", "/v2/users");
  const table = page.getByRole("region", { name: "getV2Users", exact: true });
  await table.getByRole("button", { name: /^Show \d+ passed rules$/ }).click();
  await table.getByText("PASS 1").first().waitFor();
  const response = { status: 200, body: { users: [{ id: "<script>alert(1)</script>" }] } };
  await stub.send("POST", "/__understudy/worlds/default/plan", { plan: [{ on: "getV2Users", instead: response }] });
  await stub.send("GET", "/v2/users");
  const broken = page.getByRole("region", { name: "Broken rules" });
  await broken.getByText("FAIL").first().waitFor();
  await page.getByRole("button", { name: /FAIL \d/ }).click();
  await expect.poll(() => table.getByText("PASS").count()).toBe(0);
  await table.getByText("FAIL 1").first().waitFor();
  await broken.getByRole("link", { name: "Exchange 2" }).first().click();
  await expect.poll(() => page.url()).toMatch(/#\/traffic\/default\/2$/);
  expect(noise).toEqual([]);
});

test("downloads the report", async () => {
  await using stub = await served();
  await stub.send("GET", "/v2/users");
  const { page } = await stub.open("verdict/default");
  await page.getByRole("checkbox", { name: "Check the stub too" }).check();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download the report" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^understudy-.*\.html$/);
  expect(readFileSync(await download.path(), "utf8")).toContain("<!doctype html>");
});

const places = ["world/default/1", "timeline/default", "verdict/default"].flatMap((place) =>
  (["light", "dark"] as const).flatMap((scheme) => [390, 800, 1280].map((width) => ({ place, scheme, width }))),
);

test.each(places)(
  "$place in $scheme at $width is fit for all, and no wider than the page",
  async ({ place, ...look }) => {
    await using stub = await served("reassignment-by-time");
    await stub.play();
    await granted(stub);
    await stub.send("GET", "/v2/users?pageSize=-1");
    await stub.send("GET", "/v2/users?pageToken=2");
    const { page, noise } = await stub.open(place, look);
    if (place.startsWith("verdict")) {
      await page.getByText("page-tokens-from-pages", { exact: true }).waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
    }
    for (const both of await page.getByRole("checkbox", { name: "Check the stub too" }).all()) await both.check();
    await page.locator("main table, main svg").first().waitFor();
    for (const details of await page.locator("summary").all()) await details.click();
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await page.evaluate("document.querySelector('main').scrollWidth")).toBe(look.width);
    expect(noise).toEqual([]);
  },
);
