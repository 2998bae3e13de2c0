import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "./_browser.ts";

let browser: Browser;
let server: Server;
let origin: string;

const program = `
import { createUnderstudy } from "./in-page.js";
export async function play() {
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const understudy = createUnderstudy({ profile: "canton-3.5", seed: 7 });
  const fork = understudy.fork();
  const user = { id: "ursula", primaryParty: "", isDeactivated: false, identityProviderId: "" };
  const made = await fork.fetch("/v2/users", { method: "POST", headers, body: JSON.stringify({ user, rights: [] }) });
  const found = async (world) => (await world.fetch("/v2/users/ursula", { headers })).status;
  using window = fork.reassign("external-party-amulet-rules", { to: "synchronizer-b" });
  fork.clock.advance("PT30S");
  return [made.status, await found(fork), await found(understudy), fork.world.now, fork.journal.length];
}`;
const files: Record<string, readonly [type: string, text: string]> = {
  "/": [
    "text/html",
    '<!doctype html><script type="module">import { play } from "./program.js"; window.play = play;</script>',
  ],
  "/program.js": ["text/javascript", program],
  "/worker.js": ["text/javascript", 'import { play } from "./program.js"; postMessage(await play());'],
};

beforeAll(async () => {
  const input = fileURLToPath(new URL("../../src/entrypoints/library/in-page.ts", import.meta.url));
  const bundle = await rolldown({ input, platform: "browser" });
  const { output } = await bundle.generate({ format: "es" });
  expect(output.flatMap((part) => (part.type === "chunk" ? part.imports : []))).toEqual([]);
  files["/in-page.js"] = ["text/javascript", output[0].code];
  server = createServer(({ url = "/" }, response) => {
    const [type, text] = files[url] ?? ["text/plain", "nothing"];
    response.writeHead(files[url] === undefined ? 404 : 200, { "Content-Type": type }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

const played = [200, 200, 404, "2026-01-01T00:05:30.000Z", 2];

test("a stub responses within a page, with forks, clock and reassignments", async () => {
  const page = await browser.newPage();
  const noise: string[] = [];
  page.on("pageerror", (error) => noise.push(error.message));
  await page.goto(origin);
  await page.waitForFunction("window.play !== undefined");
  expect(await page.evaluate("window.play()")).toEqual(played);
  expect(noise).toEqual([]);
});

test("and within a worker", async () => {
  const page = await browser.newPage();
  await page.goto(origin);
  const responded = page.evaluate(
    "new Promise((resolve, reject) => { const worker = new Worker('/worker.js', { type: 'module' }); worker.onmessage = ({ data }) => resolve(data); worker.onerror = (event) => reject(new Error(event.message)); })",
  );
  expect(await responded).toEqual(played);
});
