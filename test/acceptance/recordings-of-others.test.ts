import { createReadStream } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { exchangesIn } from "../_recorded-exchanges.ts";
import { root, understudy } from "./_command-line.ts";

const fileIn = (name: string) => exchangesIn(createReadStream(join(root, "test/recordings", name)));

/** Request and response without hosts, times, headers and trace ids. */
function gistOf({ request, response }: Exchange): string {
  const path = request.target.replace(/^https?:\/\/[^/]+/, "");
  const requested = `${request.method} ${path} ${request.body.text()}`;
  if (response.type === "broken") return `${requested} → ${response.kind}`;
  return `${requested} → ${response.status} ${response.body.text().replaceAll(/\b[0-9a-f]{32}\b/g, "#")}`;
}

const unlike: Readonly<Record<string, { readonly more: number; readonly without: RegExp }>> = {
  // The first request loads the page.
  "playwright.har": { more: 1, without: /\/v2\/version/ },
  // A request that got no response comes last.
  "chrome.har": { more: 1, without: / → reset$/ },
};

test.each([
  "chrome.har",
  "firefox.har",
  "mitmproxy.har",
  "playwright.har",
  "compressed.har",
  "postman.collection.json",
])("%s has the same exchanges as the other recordings", async (file) => {
  const expected = (await fileIn("mitmproxy.har")).map(gistOf);
  const all = (await fileIn(file)).map(gistOf);
  const { more = 0, without = /^$/ } = unlike[file] ?? {};
  expect(all.length).toBe(expected.length + more);
  expect(sortedByRequest(all.filter((gist) => !without.test(gist)))).toEqual(sortedByRequest(expected));
  expect(expected.length).toBe(5);
});

/** A collection is in the order of its folders. */
function sortedByRequest(gists: readonly string[]): readonly string[] {
  return [...gists].sort();
}

test.each([
  ["chrome.har", 6],
  ["firefox.har", 5],
  ["mitmproxy.har", 5],
  ["playwright.har", 6],
  ["compressed.har", 5],
  ["postman.collection.json", 5],
])("every response of the two APIs in %s is checked, and the report shows no token", async (file, exchanges) => {
  const ran = await understudy(["check", join("test/recordings", file), "--profile", "canton-3.5", "--json"]);
  const report = JSON.parse(ran.out);
  expect(report.exchanges).toBe(exchanges);
  expect(report.violations.filter(({ outcome }: { outcome: string }) => outcome === "FAIL")).toEqual(
    file === "chrome.har" ? [expect.objectContaining({ rule: "complete-response" })] : [],
  );
  expect(ran.out).not.toMatch(/eyJ|c2lnc2ln/);
});
