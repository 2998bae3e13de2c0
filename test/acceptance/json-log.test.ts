import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { JsonRequestLog } from "../../src/entrypoints/cli/serve/json-request-log.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { emptyBody } from "../../src/foundation/http/body.ts";
import { scenarioOf } from "../_scenario.ts";
import { eventsIn, expectRefusal, root, serving, temporaryFolder } from "./_command-line.ts";

const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ6b2UifQ.c2lnbmF0dXJlLW9mLXRoaXMtdG9rZW4";
const migrations = join(root, "migrations");
const headers = { Authorization: `Bearer ${token}` };
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("prints start, requests, messages and stop as JSON, one object a line, without secrets", async () => {
  const stub = await serving("--log json");
  await fetch(`${stub.url}/v2/users?pageSize=1`, { headers });
  await fetch(`${stub.url}/v2/users?pageSize=-1&access_token=${token}`, { headers });
  await stub.printed(/"status":400/);
  const { out, error, exitCode } = await stub.end();
  expect([error, exitCode]).toEqual(["", 0]);
  const events = eventsIn(out);
  for (const event of events) expect(event).toMatchObject({ at: timestamp });
  const requests = events.filter(({ event }) => event === "request");
  expect(requests).toMatchObject([
    { world: "default", method: "GET", target: "/v2/users?pageSize=1", operationId: "getV2Users", status: 200 },
    { status: 400, reason: expect.stringContaining("Page size must be non-negative") },
  ]);
  expect(events.map(({ event }) => event).filter((event) => event !== "request" && event !== "client-rules")).toEqual([
    "ready",
    "stopping",
    "client-rules-summary",
    "stopped",
  ]);
  expect(out).not.toContain(token);
});

test("--log text prints requests where the output is not a terminal", async () => {
  const stub = await serving("--log text");
  await fetch(`${stub.url}/v2/users`, { headers });
  expect(await stub.printed(/getV2Users/, stub.ready.length)).toContain("GET     /v2/users  200");
});

test.each([
  ["--log yaml", "--log yaml: unknown value."],
  ["--log json --json", "--json has no effect with --log."],
  ["--log json --quiet", "--quiet has no effect with --log."],
])("%s is refused", async (words, message) => {
  await expectRefusal(`serve --port 0 ${words}`, message);
});

test("prints 100 requests a second, and counts the others", async () => {
  let nowMs = 5000;
  const lines: string[] = [];
  const hosting = hostScenario(scenarioOf("quickstart"), { wallNowMs: () => nowMs });
  const log = new JsonRequestLog({ print: (text) => lines.push(text) }, () => nowMs, setImmediate);
  log.watch(hosting);
  const send = async (count: number) => {
    for (let each = 0; each < count; each += 1)
      await hosting.handler({ method: "GET", target: "/v2/users", headers: [], body: emptyBody });
    await new Promise(setImmediate);
  };
  await send(150);
  expect(lines).toHaveLength(100);
  nowMs += 1000;
  await send(1);
  expect(lines).toHaveLength(102);
  expect(lines[100]).toBe('{"event":"requests-omitted","count":50}');
});

test("prints which worlds another process may own", async () => {
  const url = `sqlite:${join(temporaryFolder(), "store.db")}`;
  const stub = await serving(["--log", "json", "--store", url]);
  const { worlds: other } = await openStore({ url, isRelaxed: false, folder: "", migrations });
  const owner = (await other.list())[0]?.owner ?? "";
  await other.release(["default"], owner);
  await other.renew("b", 600_000);
  expect((await other.take("default", "b")).type).toBe("taken");
  await vi.waitFor(async () => {
    const body = JSON.stringify({ user: { id: "zoe" } });
    const json = { ...headers, "Content-Type": "application/json" };
    expect((await fetch(`${stub.url}/v2/users`, { method: "POST", headers: json, body })).status).toBe(503);
  });
  expect(await stub.printed(/"worlds-lost"/)).toContain('"event":"worlds-lost","count":1,"worlds":["default"]');
  await other.close();
});

test("prints no request of an earlier process, whose journal goes on", async () => {
  const store = [
    "--log",
    "json",
    "--store",
    `sqlite:${join(temporaryFolder(), "store.db")}`,
    "--keep-journal",
    "PT24H",
  ];
  const first = await serving(store);
  await fetch(`${first.url}/v2/users?pageSize=1`, { headers });
  await first.printed(/"event":"request"/);
  await first.end();
  const second = await serving(store);
  await fetch(`${second.url}/v2/users?pageSize=2`, { headers });
  await second.printed(/"event":"request"/);
  const { out } = await second.end();
  const requests = eventsIn(out).filter(({ event }) => event === "request");
  expect(requests.map(({ target }) => target)).toEqual(["/v2/users?pageSize=2"]);
});
