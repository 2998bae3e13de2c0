import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { RequestLog } from "../../src/entrypoints/cli/serve/request-log.ts";
import { diskFiles, packagedFile, quickstartScenario } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { emptyBody } from "../../src/foundation/http/body.ts";
import type { HeaderList } from "../../src/foundation/http/header.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { type Running, serving, started, temporaryFolder } from "./_command-line.ts";

/** Sends a request to the stub with a token, and returns what the stub printed afterwards, once it matches. */
async function logged(stub: Running, target: string, pattern: RegExp, init: RequestInit = {}): Promise<string> {
  await fetch(`${stub.url}${target}`, { headers: { Authorization: "Bearer any" }, ...init }).catch(() => undefined);
  return stub.printed(pattern, stub.ready.length);
}

const onTerminal = { isTerminal: true };

function quickstart(): Hosting {
  const loaded = loadScenario(packagedFile(quickstartScenario), diskFiles);
  if (loaded.type !== "loaded") throw new Error("the quickstart is invalid");
  return hostScenario(loaded.scenario, { wallNowMs: () => 0 });
}

test("prints a line for each request on a terminal", async () => {
  const stub = await serving([], onTerminal);
  const line = await logged(stub, "/v2/users?pageSize=2", /getV2Users/);
  expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}GET {5}\/v2\/users\?pageSize=2 {2}200 {2}\d+ ms {2}getV2Users$/m);
});

test("prints why a request is refused", async () => {
  const stub = await serving([], onTerminal);
  const line = await logged(stub, "/v2/users?pageSize=x", /Invalid/);
  expect(line).toContain("400");
  expect(line).toContain("Invalid value for: query parameter pageSize");
});

test("says that a path of the real API is not supported", async () => {
  const stub = await serving(["--profile", "canton-3.5"], onTerminal);
  const line = await logged(stub, "/v2/interactive-submission/preferred-packages", /not supported/, { method: "POST" });
  expect(line).toContain(
    "not supported by Understudy: POST /v2/interactive-submission/preferred-packages (docs/reference/supported-endpoints.md)",
  );
});

test("marks an injected fault, and names the world of a fork", async () => {
  const stub = await serving([], onTerminal);
  const post = (path: string, body: string) =>
    fetch(`${stub.url}/__understudy/worlds${path}`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json" },
    });
  await post("/default/fork", "");
  await post(
    "/fork-1/plan",
    JSON.stringify({ plan: [{ on: "getV2Users", instead: { error: "SERVICE_NOT_RUNNING" } }] }),
  );
  const line = await logged(stub, "/w/fork-1/v2/users", /Planned/);
  expect(line).toMatch(/503 {2}\d+ ms {2}getV2Users {2}\(world fork-1\)\n {14}SERVICE_NOT_RUNNING: Planned response/);
});

test("prints what a reset hides: that the plan decided it, and that the request took effect", async () => {
  const stub = await serving([], onTerminal);
  const plan = JSON.stringify({ plan: [{ on: "getV2Users", after: { reset: true } }] });
  await fetch(`${stub.url}/__understudy/worlds/default/plan`, { method: "POST", body: plan });
  const line = await logged(stub, "/v2/users", /planned/);
  expect(line).toMatch(/reset {2}\d+ ms {2}getV2Users\n {14}planned reset; the request took effect/);
});

test("prints a client finding below the line of its request", async () => {
  const stub = await serving([], onTerminal);
  const line = await logged(stub, "/v2/users?pageToken=invented", /page-tokens-from-pages/);
  expect(line).toMatch(/getV2Users\n(?: {14}.*\n)? {14}client rule page-tokens-from-pages \(error\): expected /);
});

test("--json prints no request lines", async () => {
  const stub = await serving(["--json"], onTerminal);
  await fetch(`${stub.url}/v2/users?pageSize=x`, { headers: { Authorization: "Bearer any" } });
  stub.stop();
  expect((await stub.ended()).out).toBe(`${stub.ready.trim()}\n`);
});

test("--quiet prints no request lines", async () => {
  const folder = temporaryFolder();
  const command = started(["serve", "--port", "0", "--quiet", "--ready-file", "ready"], { ...onTerminal, folder });
  const url = await vi.waitFor(() => readFileSync(join(folder, "ready"), "utf8").trim());
  await fetch(`${url}/v2/users?pageSize=x`, { headers: { Authorization: "Bearer any" } });
  command.stop();
  expect((await command.ended).out).toBe("");
});

test("prints no request lines where the output is not a terminal", async () => {
  const stub = await serving([]);
  await fetch(`${stub.url}/v2/users?pageSize=x`, { headers: { Authorization: "Bearer any" } });
  stub.stop();
  expect((await stub.ended()).out).toBe(stub.ready);
});

test("masks the secrets of a request in its line and in the reason of its refusal", async () => {
  const lines: string[] = [];
  const hosting = quickstart();
  const environment = { print: (text: string) => lines.push(text), isColoured: false };
  new RequestLog(
    environment,
    () => 5000,
    (run) => run(),
  ).watch(hosting);
  const headers: HeaderList = [["Authorization", "Bearer a-token-that-is-secret"]];
  for (const target of ["/v2/userz/a-token-that-is-secret", "/v2/users/a-token-that-is-secret"])
    await hosting.handler({ method: "GET", target, headers, body: emptyBody });
  expect(lines).toHaveLength(4);
  expect(lines.every((line) => line.includes("[redacted]") && !line.includes("secret"))).toBe(true);
});

test("prints the first hundred requests of a second, and counts the others", async () => {
  const lines: string[] = [];
  let nowMs = 5000;
  const hosting = quickstart();
  const log = new RequestLog(
    { print: (text) => lines.push(text), isColoured: false },
    () => nowMs,
    (run) => run(),
  );
  log.watch(hosting);
  const send = () => hosting.handler({ method: "GET", target: "/livez", headers: [], body: emptyBody });
  for (let sent = 0; sent < 103; sent += 1) await send();
  expect(lines).toHaveLength(100);
  nowMs += 1000;
  await send();
  expect(lines.slice(100)).toEqual([`${" ".repeat(14)}… and 3 more requests`, expect.stringContaining("/livez")]);
});
