// Makes the pictures of the inspector in docs/images: a scenario is played on a stub, and each view is photographed in the
// browser that comes with the development dependencies. `npm run screenshots` builds the page first.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { diskFiles, inspectorFiles } from "../src/entrypoints/library/files.ts";
import { hostScenario } from "../src/entrypoints/library/host-scenario.ts";
import { loadScenario } from "../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../src/scenarios/files/run-scenario.ts";
import { loopbackAccess } from "../src/stub/control/access.ts";
import { withControl } from "../src/stub/control/control.ts";
import { Inspection } from "../src/stub/inspection/inspection.ts";
import { sendOverHttp } from "../src/transport/client/send-over-http.ts";
import { startServer } from "../src/transport/server/http-server.ts";
import { faultyStubs } from "../test/_faulty-stubs.ts";
import { launchBrowser } from "../test/browser/_browser.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}docs/images`;
const scenario = `${root}scenarios/reassignment-by-time.arazzo.yaml`;

/** Plays the scenario, then some calls. One of them gets an invalid response, and three break client rules. */
async function playOn(url: string): Promise<void> {
  const loaded = loadScenario(scenario, diskFiles);
  if (loaded.type === "invalid") throw new Error(JSON.stringify(loaded.problems));
  const client = sendOverHttp(url);
  await runScenario(loaded.scenario, { handler: client, hasControl: true, nowMs: Date.now });
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const rights = [{ kind: { ParticipantAdmin: { value: {} } } }];
  await fetch(`${url}/v2/users/alice/rights`, {
    method: "POST",
    headers,
    body: JSON.stringify({ userId: "alice", rights }),
  });
  const users = [{ id: "alice", primaryParty: 5, isDeactivated: "no", metadata: {} }];
  const plan = [{ on: "getV2Users", instead: { status: 200, body: { users, nextPageToken: "" } } }];
  await fetch(`${url}/__understudy/worlds/default/plan`, { method: "POST", body: JSON.stringify({ plan }) });
  await fetch(`${url}/v2/users?pageSize=2`, { headers });
  await fetch(`${url}/v2/users?pageSize=-1`, { headers });
  await fetch(`${url}/v2/idps`, { headers });
  await fetch(`${url}/v2/users?pageToken=2`, { headers });
  const user = { id: "ursula", isDeactivated: false, party: "" };
  await fetch(`${url}/v2/users`, { method: "POST", headers, body: JSON.stringify({ user }) });
  await fetch(`${url}/registry/metadata/v1/info`, { headers });
}

/** The number of the exchange with an unknown member in its request. */
const brokenExchange = 9;
/** The number of the exchange that changes a user. */
const changingExchange = 4;

const pictures: readonly (readonly [name: string, hash: string, colorScheme: "light" | "dark"])[] = [
  ["inspector-traffic", `#/traffic/default/${brokenExchange}`, "light"],
  ["inspector-world", `#/world/default/${changingExchange}`, "light"],
  ["inspector-timeline", "#/timeline/default", "light"],
  ["inspector-verdict", "#/verdict/default", "dark"],
];

async function photograph(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url, { waitUntil: "load" });
  await page.getByText("live", { exact: true }).waitFor();
  if (name === "inspector-verdict") await page.getByLabel("Check the stub too").check();
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
  await page.screenshot({ path: `${folder}/${name}.png` });
  console.log(`wrote docs/images/${name}.png`);
}

mkdirSync(folder, { recursive: true });
const loaded = loadScenario(scenario, diskFiles, { profile: "canton-3.5" });
if (loaded.type === "invalid") throw new Error(JSON.stringify(loaded.problems));
const sharedStubs = faultyStubs({ ledger: "canton-3.5", registry: "splice-0.8" });
const hosting = hostScenario(loaded.scenario, { wallNowMs: Date.now, sharedStubs });
const inner = withControl(hosting, loopbackAccess);
const options = { source: hosting, access: loopbackAccess, page: inspectorFiles(), later: setTimeout, inner };
const inspection = new Inspection(options);
const server = await startServer({
  handler: inspection.handler,
  host: "127.0.0.1",
  port: 0,
  isCorsAllowed: false,
  onFault: (fault) => process.emitWarning(String(fault)),
});
await playOn(server.url);
const browser = await launchBrowser();
try {
  for (const [name, hash, colorScheme] of pictures) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
    await photograph(page, `${server.url}/__understudy/${hash}`, name);
    await page.close();
  }
} finally {
  await browser.close();
  inspection.close();
  await server.close();
}
