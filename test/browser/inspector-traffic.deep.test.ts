import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsOfAxe } from "./_axe.ts";
import { type Inspectors, type Requested, startInspectors } from "./_inspector.ts";

let inspectors: Inspectors;

beforeAll(async () => {
  inspectors = await startInspectors();
});

afterAll(() => inspectors.close());

const grant = { userId: "alice", rights: [{ kind: { ParticipantAdmin: { value: {} } } }] };
const hostile = '<script>document.title="taken"</script><img src="/taken" onerror="document.title=1">';
const mixed: readonly Requested[] = [
  { target: "/v2/users?pageSize=2" },
  { method: "POST", target: "/v2/users/alice/rights", body: grant },
  { target: "/v2/userz" },
  { target: "/v2/users?pageSize=-1" },
  { target: "/v2/users/unknown" },
];
const many = (count: number): readonly Requested[] =>
  Array.from({ length: count }, (_, index) => ({ target: `/v2/users?pageSize=${(index % 9) + 1}` }));

const rows = (page: Page) => page.getByRole("grid").locator('[role="row"][id]');
const row = (page: Page, number: number) => page.locator(`[role="row"][aria-rowindex="${number + 1}"]`);
const exchange = (page: Page, number: number) => page.getByRole("article", { name: `Exchange ${number}`, exact: true });
const numbersShown = (page: Page) => rows(page).locator(".cell-number").allTextContents();
/** Whether the list is scrolled to its last row. */
const isAtEnd = (page: Page) =>
  page
    .getByRole("grid")
    .evaluate(({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight > scrollHeight - 5);
const placeOf = (page: Page) => page.getByRole("grid").evaluate(({ scrollTop }) => scrollTop);

/** Scrolls with the wheel and returns the final scroll position. */
async function scrolledUp(page: Page, pixels: number): Promise<number> {
  const to = (await placeOf(page)) - pixels;
  await page.getByRole("grid").hover();
  await page.mouse.wheel(0, -pixels);
  await expect.poll(() => placeOf(page)).toBe(to);
  return to;
}

/** The number of the line under the cursor. */
const restedOn = (page: Page) =>
  page.getByRole("grid").evaluate((grid) => {
    const line = grid.ownerDocument.getElementById(grid.getAttribute("aria-activedescendant") ?? "");
    return line?.getAttribute("aria-selected") === "true"
      ? Number(line.querySelector(".cell-number")?.textContent)
      : undefined;
  });

test("lists exchanges live, also under load", async () => {
  await using open = await inspectors.openInspector({ requests: mixed, profile: "canton-3.5" });
  const { page } = open;
  await row(page, 5).waitFor();
  const cells = await row(page, 2).getByRole("gridcell").allTextContents();
  expect(cells).toEqual([
    "2",
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/),
    expect.stringMatching(/^[\d.]+ ms$/),
    "01-01 00:05:00",
    "POST /v2/users/alice/rights",
    "postV2UsersUser-idRights",
    "200",
    "1",
    "",
  ]);
  expect(await row(page, 3).textContent()).toContain("unknown path");
  expect(await row(page, 4).textContent()).not.toContain("KNOWN");
  await page.getByRole("checkbox", { name: "Check the stub too" }).check();
  expect(await row(page, 2).textContent()).toContain("✓ PASS");
  expect(await row(page, 4).textContent()).toContain("≈ KNOWN");
  expect(await page.getByRole("list", { name: "Problems" }).getByRole("listitem").count()).toBe(3);
  await page.evaluate("window.isTheSame = true");
  await Promise.all(Array.from({ length: 8 }, () => open.ask(...many(50))));
  await row(page, 405).waitFor();
  expect(await isAtEnd(page)).toBe(true);
  expect(await page.evaluate("window.isTheSame")).toBe(true);
  expect(await page.getByText("405 exchanges").isVisible()).toBe(true);
  expect(open.noise).toEqual([]);
});

test("keeps its position after scrolling up, counts new lines and jumps to them", async () => {
  await using open = await inspectors.openInspector({ requests: many(120) });
  const { page } = open;
  await row(page, 120).waitFor();
  const before = await scrolledUp(page, 700);
  expect(await isAtEnd(page)).toBe(false);
  await open.ask(...many(7));
  await page.getByRole("button", { name: "7 new" }).waitFor();
  expect(await placeOf(page)).toBe(before);
  await page.getByRole("button", { name: "7 new" }).click();
  await row(page, 127).waitFor();
  expect(await isAtEnd(page)).toBe(true);
  expect(await page.getByRole("button", { name: "new" }).count()).toBe(0);
});

test("keeps visible lines in place when the journal drops old exchanges", async () => {
  await using open = await inspectors.openInspector({ requests: many(1_000) });
  const { page } = open;
  await row(page, 1_000).waitFor();
  const topOf = (number: number) =>
    rows(page)
      .filter({ has: page.locator(".cell-number", { hasText: new RegExp(`^${number}$`) }) })
      .evaluate((element) => element.getBoundingClientRect().top);
  await scrolledUp(page, 9_999);
  await row(page, 640).waitFor();
  const before = await topOf(640);
  await open.ask(...many(40));
  await page.getByRole("button", { name: "40 new" }).waitFor();
  expect(await page.getByText("1,000 exchanges").isVisible()).toBe(true);
  expect(await topOf(640)).toBe(before);
});

test("clears the list when the world is reset", async () => {
  await using open = await inspectors.openInspector({ requests: mixed, place: "#/traffic/default/2" });
  const { page } = open;
  await exchange(page, 2).waitFor();
  await open.control("reset");
  await page.getByRole("heading", { name: "Waiting for requests" }).waitFor();
  await page.getByRole("article").waitFor({ state: "detached" });
  await open.ask({ target: "/v2/users" });
  await row(page, 1).waitFor();
  expect(await numbersShown(page)).toEqual(["1"]);
  expect(open.noise).toEqual([]);
});

test("filters by operation, status, outcome, rule and text, and counts matches", async () => {
  await using open = await inspectors.openInspector({ requests: mixed, profile: "canton-3.5" });
  const { page } = open;
  await row(page, 5).waitFor();
  const choose = async (label: string, value: string) => {
    await page.getByLabel(label, { exact: true }).selectOption(value);
    const numbers = await numbersShown(page);
    await page.getByRole("button", { name: "Clear filters" }).click();
    return numbers;
  };
  expect(await choose("Operation", "getV2Users")).toEqual(["1", "4"]);
  expect(await choose("Operation", "unsupported")).toEqual(["3"]);
  expect(await choose("Status", "4xx")).toEqual(["3", "4", "5"]);
  expect(await choose("Status", "400")).toEqual(["4"]);
  expect(await choose("Outcome", "UNSUPPORTED")).toEqual(["3"]);
  expect(await choose("Broken rule", "ledger-400-is-text")).toEqual(["4"]);
  await page.getByLabel("Method or target contains").fill("post /V2");
  expect(await numbersShown(page)).toEqual(["2"]);
  expect(await page.getByText("1 of 5 exchanges").isVisible()).toBe(true);
  await open.ask({ target: "/v2/users" }, { method: "POST", target: "/v2/users", body: {} });
  await page.getByText("2 of 7 exchanges").waitFor();
  expect(await numbersShown(page)).toEqual(["2", "7"]);
});

test("moves through the lines by keys and shows the selected exchange", async () => {
  await using open = await inspectors.openInspector({ requests: many(200) });
  const { page } = open;
  await row(page, 200).waitFor();
  await page.getByRole("grid").focus();
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** A line on which the reader rests is shown in full, which leaves fewer lines in sight: no key comes before. */
  const restsOn = async (number: number) => {
    await exchange(page, number).waitFor();
    expect(await restedOn(page)).toBe(number);
  };
  await press("Home");
  await restsOn(1);
  await press("ArrowUp");
  await restsOn(1);
  await press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp");
  await restsOn(3);
  const inSight = await page.getByRole("grid").evaluate((grid) => {
    const [head, line] = [".virtual-head", ".virtual-row[id]"].map(
      (part) => grid.querySelector(part)?.clientHeight ?? 0,
    );
    return Math.floor((grid.clientHeight - (head ?? 0)) / (line ?? 0));
  });
  expect(inSight).toBeGreaterThan(5);
  await press("PageDown");
  await restsOn(3 + inSight - 1);
  await press("PageUp");
  await restsOn(3);
  await press("End");
  await restsOn(200);
  await press("ArrowUp", "Enter");
  await restsOn(199);
  await page.waitForURL(/#\/traffic\/default\/199$/);
  await row(page, 199).waitFor();
  expect(await page.getByRole("grid").evaluate((grid) => grid.ownerDocument.activeElement === grid)).toBe(true);
  await open.ask(...many(30));
  await page.getByRole("button", { name: "30 new" }).waitFor();
  expect(await row(page, 199).isVisible()).toBe(true);
});

test("keys move from the exchange in the address, also right after navigation", async () => {
  await using open = await inspectors.openInspector({ requests: many(9), place: "#/traffic/default/2" });
  const { page } = open;
  await exchange(page, 2).waitFor();
  // The key comes when the page has taken the address in, and before it is painted.
  await page.evaluate(`
    const press = () => document.querySelector('[role="grid"]')
      .dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    addEventListener("hashchange", press, { once: true });
    location.hash = "#/traffic/default/5";`);
  await exchange(page, 6).waitFor();
  expect(await restedOn(page)).toBe(6);
});

const wrong = { users: [{ id: 5, note: hostile }], nextPageToken: "" };

test("marks the members that broke a rule, with expected and actual value", async () => {
  await using open = await inspectors.openInspector({ isFaulty: true });
  const { page } = open;
  await open.control("plan", { plan: [{ on: "getV2Users", instead: { status: 200, body: wrong } }] });
  await open.ask({ target: "/v2/users" });
  await row(page, 1).click();
  await exchange(page, 1).waitFor();
  expect(await exchange(page, 1).getByRole("note").count()).toBe(0);
  await page.getByRole("checkbox", { name: "Check the stub too" }).check();
  const marked = exchange(page, 1).locator('[data-pointer="/users/0/id"].json-marked');
  await marked.waitFor();
  const said = await marked.getByRole("note", { name: "Broken rule body-schema" }).textContent();
  for (const part of ["FAIL", "The body of a 200 is JSON", "must be string", "actual5", "/users/0/id"])
    expect(said).toContain(part);
  expect(await exchange(page, 1).getByRole("note").filter({ hasText: "FAIL" }).count()).toBe(1);
});

test("shows the problems of a client first, marks their place in the request, and filters by them", async () => {
  await using open = await inspectors.openInspector({ requests: mixed });
  const { page } = open;
  const user = { id: "ursula", primaryParty: "", isDeactivated: false, identityProviderId: "", surprise: 1 };
  await open.ask({ target: "/v2/users?pageToken=2" }, { method: "POST", target: "/v2/users", body: { user } });
  await row(page, 7).waitFor();
  const problems = page.getByRole("list", { name: "Problems" });
  await problems.getByText("page-tokens-from-pages", { exact: true }).waitFor();
  expect(await problems.getByRole("listitem").count()).toBe(5);
  await page.getByRole("button", { name: "Problems 5" }).click();
  await page.getByText("5 of 7 exchanges").waitFor();
  expect(await numbersShown(page)).toEqual(["3", "4", "5", "6", "7"]);
  await problems.getByRole("button", { name: "#7" }).click();
  const marked = exchange(page, 7).locator('[data-pointer="/user/surprise"].json-marked');
  const note = marked.getByRole("note", { name: "Broken client rule known-members-sent" });
  expect(await note.textContent()).toContain("advice");
  expect(open.noise).toEqual([]);
});

test("shows the reason that a body hides, in the list and in the exchange, and marks the request", async () => {
  const requests = [{ target: "/v2/users", headers: { Authorization: "" } }, { target: "/v2/users/unknown" }];
  await using open = await inspectors.openInspector({ requests, profile: "canton-3.5" });
  const { page } = open;
  await row(page, 2).waitFor();
  expect(await row(page, 1).locator(".cell-problems").textContent()).toContain("Missing bearer token");
  expect(await row(page, 2).locator(".cell-problems").textContent()).toMatch(/client.*USER_NOT_FOUND: /);
  await row(page, 1).click();
  await exchange(page, 1).locator(".exchange-facts", { hasText: "UNAUTHENTICATED: Missing bearer token" }).waitFor();
  expect(open.noise).toEqual([]);
});

test("marks an injected fault as a fault, without a broken rule, and filters by it", async () => {
  await using open = await inspectors.openInspector();
  const { page } = open;
  await open.control("plan", { plan: [{ on: "getV2Users", instead: { status: 200, body: wrong } }] });
  await open.ask({ target: "/v2/users" }, { target: "/v2/users" });
  await row(page, 2).waitFor();
  expect(await row(page, 1).locator(".cell-problems").textContent()).toMatch(/fault ?planned response/);
  expect(await page.getByRole("button", { name: "Problems 0" }).count()).toBe(1);
  await row(page, 1).click();
  await exchange(page, 1).getByRole("heading", { name: "fault" }).waitFor();
  expect(await exchange(page, 1).getByRole("note").count()).toBe(0);
  await page.getByLabel("Outcome", { exact: true }).selectOption("PLANNED");
  await page.getByText("1 of 2 exchanges").waitFor();
});

test("shows recorded markup as text", async () => {
  await using open = await inspectors.openInspector();
  const { page } = open;
  const html = { status: 200, contentType: "text/html", body: hostile };
  await open.control("plan", {
    plan: [
      { on: "getV2Users", instead: { status: 200, body: wrong } },
      { on: "getV2Users", nth: 2, instead: html },
    ],
  });
  const odd = { "X-Odd": hostile };
  await open.ask({ target: "/v2/users", headers: odd }, { target: `/v2/users?x=${encodeURIComponent(hostile)}` });
  await row(page, 1).click();
  await exchange(page, 1).locator('[data-pointer="/users/0/note"]', { hasText: "<script>" }).waitFor();
  expect(await exchange(page, 1).locator(".headers").first().textContent()).toContain(hostile);
  await row(page, 2).click();
  await exchange(page, 2).locator("pre", { hasText: hostile }).waitFor();
  expect(await exchange(page, 2).locator("script, img").count()).toBe(0);
  expect(await page.title()).toBe("Understudy");
  expect(open.noise).toEqual([]);
});

test("lists the changes of an exchange and links to the world after it", async () => {
  await using open = await inspectors.openInspector({ requests: mixed, place: "#/traffic/default/2" });
  const { page } = open;
  const changes = exchange(page, 2).getByRole("region", { name: "Changes" });
  await changes.waitFor();
  expect(await changes.getByRole("listitem").allTextContents()).toEqual(["users alice changed"]);
  await changes.getByRole("link").click();
  await page.waitForURL(/#\/world\/default\/2$/);
});

test("draws a body of one megabyte in parts, with violations unfolded", async () => {
  const users = Array.from({ length: 7_000 }, (_, index) => ({
    id: `user-${index}-${"x".repeat(60)}`,
    isDeactivated: false,
    primaryParty: "",
    identityProviderId: "",
  }));
  const body = { users: users.map((user, index) => (index === 5_555 ? { ...user, id: 7 } : user)), nextPageToken: "" };
  expect(JSON.stringify(body).length).toBeGreaterThan(1_000_000);
  await using open = await inspectors.openInspector({ isFaulty: true });
  const { page } = open;
  await open.control("plan", { plan: [{ on: "getV2Users", instead: { status: 200, body } }] });
  await open.ask({ target: "/v2/users" });
  await row(page, 1).click();
  await page.getByRole("checkbox", { name: "Check the stub too" }).check();
  const tree = page.getByRole("list", { name: "Body of the response" });
  await tree.locator('[data-pointer="/users/5555/id"].json-marked').waitFor();
  expect(await tree.locator("li").count()).toBeLessThan(700);
  await tree.getByRole("button", { name: "200 to 299" }).click();
  await tree.locator('[data-pointer="/users/250"]').waitFor();
  await tree.getByRole("button", { name: /^users/ }).click();
  expect(await tree.locator("li").count()).toBe(3);
  await page.getByLabel(/Raw \(/).check();
  expect((await page.locator(".message pre").textContent())?.length).toBe(20_000);
});

test.each([
  ["curl", "curl -sS -X POST"],
  ["Arazzo step", "operationId: $sourceDescriptions.ledger.postV2UsersUser-idRights"],
  ["plan entry", "- on: postV2UsersUser-idRights"],
])("copies an exchange as %s and confirms it", async (form, text) => {
  await using open = await inspectors.openInspector({ requests: mixed, place: "#/traffic/default/2" });
  const { page } = open;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: `Copy as ${form}` }).click();
  await page
    .getByRole("status")
    .filter({ hasText: `Copied as ${form}.` })
    .waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toContain(text);
});

test("copies without the clipboard API, and disables unavailable formats", async () => {
  const prepare = async (page: Page) => {
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.addInitScript("addEventListener('copy', () => { window.copied = document.activeElement.value; })");
  };
  await using open = await inspectors.openInspector({ requests: mixed, place: "#/traffic/default/3", prepare });
  const { page } = open;
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByRole("status").filter({ hasText: "Copied as curl." }).waitFor();
  expect(await page.evaluate("window.copied")).toContain("/v2/userz");
  expect(await page.getByRole("button", { name: "Copy as plan entry" }).isDisabled()).toBe(true);
});

test("compares target, headers and bodies of two exchanges", async () => {
  await using open = await inspectors.openInspector({
    requests: [{ target: "/v2/users?pageSize=1" }, { target: "/v2/users?pageSize=2", headers: { "X-More": "yes" } }],
    place: "#/traffic/default/1",
  });
  const { page } = open;
  await page.getByRole("button", { name: "Compare with…" }).click();
  await page.getByRole("status").filter({ hasText: "Choose the exchange to compare #1 with." }).waitFor();
  await row(page, 2).click();
  const compared = page.getByRole("article", { name: "Exchanges 1 and 2 compared" });
  await compared.waitFor();
  const differences = (part: string) =>
    compared.getByRole("region", { name: part }).locator("tbody tr").allTextContents();
  expect(await differences("Target")).toEqual(['≠ changed /query/pageSize"1""2"']);
  expect(await differences("Request headers")).toEqual(['+ added /x-more"yes"']);
  expect((await differences("Response body")).some((text) => text.includes("added /users/1"))).toBe(true);
  expect(await compared.textContent()).toContain("Identical: request body, status");
  await compared.getByRole("button", { name: "Stop comparing" }).click();
  await exchange(page, 2).waitFor();
  expect(open.noise).toEqual([]);
});

/** A fake stub with generated exchanges, since real ones would take too long. */
async function withTraffic(page: Page, last: number): Promise<void> {
  const line = (number: number) => ({
    number,
    startedAt: "2026-05-01T10:00:00.000Z",
    virtualAt: "2026-01-01T00:05:00.000Z",
    durationMs: 1,
    method: "GET",
    target: `/v2/users?pageSize=${number}`,
    operationId: "getV2Users",
    status: number % 1000 === 0 ? 500 : 200,
    broken: null,
    outcome: "PASS",
    rules: [],
    clientRules: [],
    changes: 0,
    unexpected: null,
    reason: null,
  });
  const world = { id: "default", last, revision: 1, epoch: 1, hasState: true, now: null, clockSpeed: 0 };
  const status = { worlds: [world], profile: { ledger: "spec", registry: "spec" }, auth: "bearer", clientUrl: null };
  const events = `retry: 1000000\nevent: change\ndata: ${JSON.stringify(status)}\n\n`;
  await page.route("**/events", (route) => route.fulfill({ contentType: "text/event-stream", body: events }));
  await page.route("**/traffic?*", (route) => {
    const after = Number(new URL(route.request().url()).searchParams.get("after"));
    const count = Math.min(10_000, last - after);
    const lines = Array.from({ length: count }, (_, index) => line(after + index + 1));
    return route.fulfill({ json: { first: 1, last, epoch: 1, lines } });
  });
}

test("lists 100,000 exchanges and draws only visible ones", async () => {
  await using open = await inspectors.openInspector({ prepare: (page) => withTraffic(page, 100_000) });
  const { page } = open;
  await row(page, 100_000).waitFor();
  expect(await page.getByRole("grid").getAttribute("aria-rowcount")).toBe("100001");
  const grid = page.getByRole("grid");
  const drawn: number[] = [];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    await grid.evaluate((element, place) => {
      element.scrollTop = element.scrollHeight * place;
    }, share);
    await row(page, Math.min(100_000, Math.max(1, Math.round(share * 100_000)))).waitFor();
    drawn.push(await rows(page).count());
  }
  expect(Math.max(...drawn)).toBeLessThan(60);
  expect(Math.min(...drawn)).toBeGreaterThan(20);
  await page.getByLabel("Status", { exact: true }).selectOption("500");
  await page.getByText("100 of 100,000 exchanges").waitFor();
  await page.getByLabel("Method or target contains").fill("pageSize=7700");
  await page.getByText("1 of 100,000 exchanges").waitFor();
  expect(await numbersShown(page)).toEqual(["77000"]);
});

test("before the first request it shows the base URL and a curl line that works when pasted", async () => {
  await using open = await inspectors.openInspector();
  const { page, url } = open;
  const empty = page.getByRole("region", { name: "Waiting for requests" });
  await empty.getByText("curl -s").waitFor();
  expect(await empty.locator("pre").first().textContent()).toBe(url);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await findingsOfAxe(page)).toEqual([]);
  }
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await empty.getByRole("button", { name: "Copy curl" }).click();
  await empty.getByText("Copied curl.").waitFor();
  const line = await page.evaluate<string>("navigator.clipboard.readText()");
  const { stdout } = await promisify(execFile)("sh", ["-c", line]);
  expect(JSON.parse(stdout)).toMatchObject({ users: expect.any(Array) });
  await row(page, 1).waitFor();
  expect(open.noise).toEqual([]);
});

test("the bar names world, base URL, profile, authentication and clock", async () => {
  await using open = await inspectors.openInspector({ profile: "canton-3.5" });
  const { page, url } = open;
  await open.control("clock/advance", { by: "PT30S" });
  await page.getByText("2026-01-01 00:05:30 UTC, paused").waitFor();
  const facts = await page.locator("header dl > div").allTextContents();
  expect(facts).toEqual([
    "Worlddefault",
    `Base URL${url} Copy URL`,
    "Profilecanton-3.5, splice-0.8",
    "Authenticationany bearer token",
    "Clock2026-01-01 00:05:30 UTC, paused",
  ]);
});

test("the chosen theme stays after a reload", async () => {
  await using open = await inspectors.openInspector({ colorScheme: "light" });
  const { page } = open;
  const back = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  await page.getByLabel("Theme").selectOption("dark");
  expect(await back()).toBe("rgb(20, 22, 25)");
  await page.reload();
  await page.getByText("live", { exact: true }).waitFor();
  expect(await back()).toBe("rgb(20, 22, 25)");
  await page.getByLabel("Theme").selectOption("auto");
  expect(await back()).toBe("rgb(255, 255, 255)");
});

test("by keyboard alone: skips the bar, opens an exchange, closes it with Escape", async () => {
  await using open = await inspectors.openInspector({ requests: mixed });
  const { page } = open;
  await row(page, 5).waitFor();
  const focused = () => page.evaluate<string>("document.activeElement.id || document.activeElement.role");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("button", { name: "Skip to content" });
  expect(await skip.evaluate((element) => element.matches(":focus-visible"))).toBe(true);
  await page.keyboard.press("Enter");
  expect(await focused()).toBe("content");
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await exchange(page, 5).waitFor();
  await page.keyboard.press("Escape");
  await exchange(page, 5).waitFor({ state: "detached" });
  expect(await focused()).toBe("grid");
});

test("shortens ids in the middle, copies them whole, and shows the text of rules and divergences in place", async () => {
  const requests = [{ target: "/v2/users/alice" }, { target: "/v2/users?pageSize=-1" }];
  await using open = await inspectors.openInspector({ requests, profile: "canton-3.5", place: "#/traffic/default/1" });
  const { page } = open;
  const party = exchange(page, 1).getByRole("button", { name: /^alice::1220/ });
  expect(await party.textContent()).toMatch(/^alice::1220\w{2}…\w{4}$/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await party.click();
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^alice::1220[0-9a-f]{64}$/);
  await row(page, 2).click();
  await page.getByRole("checkbox", { name: "Check the stub too" }).check();
  const note = exchange(page, 2).getByRole("note").first();
  for (const name of [/^[a-z0-9-]+$/, /^DIV-\d+$/]) {
    await note.getByRole("button", { name }).click();
    const text = page.getByRole("dialog", { name: /^The text of / });
    await text.getByText(/\w{3}/).first().waitFor();
    await page.keyboard.press("Escape");
    await text.waitFor({ state: "hidden" });
  }
  await exchange(page, 2).waitFor();
  expect(await page.locator('a[href^="http"]').count()).toBe(0);
});

const looks = [390, 800, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => [width, scheme] as const),
);

test.each(looks)("at a width of %d in %s nothing is cut off, and axe finds nothing", async (width, colorScheme) => {
  await using open = await inspectors.openInspector({ width, colorScheme, profile: "canton-3.5", isFaulty: true });
  const { page } = open;
  await open.control("plan", { plan: [{ on: "getV2Users", instead: { status: 200, body: wrong } }] });
  await open.ask({ target: "/v2/users" }, ...mixed, { target: "/v2/users?pageToken=2" });
  await row(page, 7).waitFor();
  const check = async () => {
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  };
  await check();
  await row(page, 7).click();
  await exchange(page, 7).waitFor();
  await check();
  // On a phone the exchange takes the place of the list.
  expect(await page.getByRole("grid").isVisible()).toBe(width > 390);
  await page.keyboard.press("Escape");
  await exchange(page, 7).waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: "Check the stub too" }).check();
  await row(page, 1).click();
  await exchange(page, 1).waitFor();
  await check();
  await page.getByRole("button", { name: "Compare with…" }).click();
  await row(page, 3).click();
  await page.getByRole("article", { name: /compared/ }).waitFor();
  await check();
  expect(open.noise).toEqual([]);
});
