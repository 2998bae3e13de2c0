import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import sparticuz from "@sparticuz/chromium";
import { chromium } from "playwright-core";

const types = { html: "text/html", js: "text/javascript" };
let browser;
let server;
let origin;

before(async () => {
  server = createServer(async ({ url }, response) => {
    // Mock Service Worker needs its worker script beside the page.
    const path = url === "/mockServiceWorker.js" ? "node_modules/msw/lib/mockServiceWorker.js" : `dist${url === "/" ? "/index.html" : url}`;
    const text = await readFile(path).catch(() => undefined);
    response.writeHead(text === undefined ? 404 : 200, { "Content-Type": types[path.split(".").at(-1)] ?? "text/plain" });
    response.end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${server.address().port}`;
  // The packed browser is for Linux on x64; elsewhere CHROMIUM_PATH names one.
  const named = process.env.CHROMIUM_PATH;
  browser = await chromium.launch(
    named === undefined
      ? {
          executablePath: await sparticuz.executablePath(),
          args: sparticuz.args.filter((argument) => argument !== "--single-process"),
        }
      : { executablePath: named },
  );
});

after(async () => {
  await browser.close();
  server.close();
});

test("the page shows the users of the stub", async () => {
  const page = await browser.newPage();
  await page.goto(origin);
  await page.getByText("alice", { exact: true }).waitFor();
  const { length } = await page.evaluate(() => window.understudy.journal);
  assert.ok(length > 1);
});

test("the page shows the error of the ledger when it is down", async () => {
  const page = await browser.newPage();
  await page.goto(origin);
  await page.getByText("alice", { exact: true }).waitFor();
  await page.evaluate(() => {
    window.understudy.fault("getV2Users", { instead: { error: "SERVICE_NOT_RUNNING" } });
    return window.show();
  });
  assert.match(await page.getByRole("alert").textContent(), /SERVICE_NOT_RUNNING/);
});
