import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { countedClients } from "../../src/entrypoints/library/coverage-file.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { HeaderList } from "../../src/foundation/http/header.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { cookieOf, tokenAccess } from "../../src/stub/control/token-check.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import { archiveOf } from "../../src/stub/stores/world-archive.ts";
import { scenarioOf } from "../_scenario.ts";
import { recording, root, serving, temporaryFolder, understudy } from "./_command-line.ts";

const token = "a-token-of-this-very-test";
const secret = { variables: { UNDERSTUDY_CONTROL_TOKEN: token } };
const bearer = { Authorization: `Bearer ${token}` };
const steps = join(root, "scenarios/reassignment-by-steps.arazzo.yaml");

interface Route {
  readonly line: string;
  readonly members: readonly string[];
}

/** Every route of the control API, with the members that its body may have. */
const routes: readonly Route[] = routesOf(parse(readFileSync(join(root, "contracts/control.yaml"), "utf8")).paths);

function routesOf(paths: unknown): readonly Route[] {
  return members(paths).flatMap(([path, item]) =>
    members(item)
      .filter(([method]) => ["get", "put", "post", "delete", "patch"].includes(method))
      .map(([method, operation]) => ({ line: `${method.toUpperCase()} ${path}`, members: bodyMembers(operation) })),
  );
}

function bodyMembers(operation: unknown): readonly string[] {
  const path = ["requestBody", "content", "application/json", "schema", "properties"];
  return members(path.reduce(memberOf, operation)).map(([name]) => name);
}

function members(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return members(value).find(([key]) => key === name)?.[1];
}

test("control requests accept only names, amounts, labels, times, plans and archives: no path, address, code or pattern", () => {
  expect(routes.map(({ line, members }) => `${line} ${members.join(" ")}`.trim())).toEqual([
    "GET /__understudy/worlds",
    "POST /__understudy/worlds",
    "GET /__understudy/worlds/{world}",
    "DELETE /__understudy/worlds/{world}",
    "POST /__understudy/worlds/{world}/fork from at labels ttl",
    "GET /__understudy/worlds/{world}/archive",
    "POST /__understudy/worlds/{world}/reset",
    "POST /__understudy/worlds/{world}/clock/advance by",
    "POST /__understudy/worlds/{world}/reassignments/begin contract to",
    "POST /__understudy/worlds/{world}/reassignments/complete contract",
    "POST /__understudy/worlds/{world}/tap party amount instrument",
    "POST /__understudy/worlds/{world}/plan plan",
    "GET /__understudy/worlds/{world}/journal",
    "GET /__understudy/worlds/{world}/client-rules",
    "GET /__understudy/worlds/{world}/end-of-test",
    "GET /__understudy/live",
    "GET /__understudy/ready",
    "GET /__understudy/metrics",
    "GET /__understudy/tokens",
    "POST /__understudy/tokens name scope",
    "DELETE /__understudy/tokens/{name}",
    "GET /__understudy/limits",
    "GET /__understudy/coverage",
    "GET /__understudy/events",
    "GET /__understudy/worlds/{world}/traffic",
    "GET /__understudy/worlds/{world}/traffic/{number}",
    "GET /__understudy/worlds/{world}/tables/{table}",
    "GET /__understudy/worlds/{world}/access",
    "GET /__understudy/worlds/{world}/timeline",
    "GET /__understudy/worlds/{world}/verdict",
    "GET /__understudy/rules/{rule}",
    "GET /__understudy/worlds/{world}/report",
  ]);
});

test("an entry of a plan has a closed set of members, and matches by equality", () => {
  const schema: unknown = JSON.parse(readFileSync(join(root, "schemas/scenario.schema.json"), "utf8"));
  const entry = ["properties", "plan", "items"].reduce(memberOf, schema);
  const response = ["$defs", "response"].reduce(memberOf, schema);
  const names = (value: unknown) =>
    members(memberOf(value, "properties"))
      .map(([name]) => name)
      .join(" ");
  expect([memberOf(entry, "additionalProperties"), memberOf(response, "additionalProperties")]).toEqual([false, false]);
  expect(names(entry)).toBe(
    "at on nth reassign every createUser deactivateUser deleteUser grantRights revokeRights vetPackages connect disconnect allocateParty createPreapproval authorizeHosting archivePreapproval times match fault instead after uploadPackage",
  );
  expect(names(response)).toBe(
    "delay status contentType body headers error gatewayHtml notJson truncate reset timeout bandwidth slices resetAfter slowClose",
  );
});

const samples: Readonly<Record<string, unknown>> = {
  from: "start",
  at: undefined,
  labels: ["team-a"],
  ttl: "PT8H",
  name: "ci",
  scope: "read",
  by: "PT1S",
  contract: "external-party-amulet-rules",
  to: "synchronizer-b",
  party: "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90",
  amount: "1",
  instrument: "Amulet",
  plan: [{ on: "getV2Users", instead: { status: 503 } }],
};

const { initial } = scenarioOf("quickstart");
const archive = archiveOf(
  { id: "a", labels: [], start: initial, state: initial },
  "quickstart",
  "2026-01-01T00:00:00Z",
);

/** A stub in the process, whose inspector requires the token. */
function locked() {
  const scenario = scenarioOf("quickstart");
  const profile = { ledger: "spec", registry: "spec" };
  const hosting = hostScenario(scenario, { ...countedClients(profile), profile, wallNowMs: () => 0 });
  const access = { ...loopbackAccess, token: tokenAccess(token) };
  const page = new Map();
  const inner = withControl(hosting, access);
  return { hosting, inspection: new Inspection({ source: hosting, access, page, later: () => undefined, inner }) };
}

async function responded({ line, members }: Route, headers: HeaderList): Promise<number> {
  const { inspection, hosting } = locked();
  await inspection.handler({ method: "GET", target: "/v2/users", headers: [], body: emptyBody });
  const worldsBefore = JSON.stringify(hosting.worlds.get("default")?.world.state.nowMs) + hosting.worlds.size;
  const [method = "", path = ""] = line.split(" ");
  const target = path
    .replace("{world}", "default")
    .replace("{number}", "1")
    .replace("{table}", "users")
    .replace("{rule}", "body-schema");
  const isImport = line === "POST /__understudy/worlds";
  const body = isImport
    ? archive
    : members.length === 0
      ? ""
      : JSON.stringify(Object.fromEntries(members.map((name) => [name, samples[name]])));
  const all: HeaderList = [["Content-Type", "application/json"], ...headers];
  const response = await inspection.handler({ method, target, headers: all, body: new Body(body) });
  const status = response.type === "response" ? response.status : 200;
  const worldsAfter = JSON.stringify(hosting.worlds.get("default")?.world.state.nowMs) + hosting.worlds.size;
  if (status === 401 || status === 403) expect(worldsAfter).toBe(worldsBefore);
  return status;
}

const host = ["Host", "localhost:7575"] as const;
const right = ["Authorization", `Bearer ${token}`] as const;
const cookie = ["Cookie", `understudy-control-7575=${cookieOf(token)}`] as const;

const probes = routes.filter(({ line }) => /(?:live|ready)$/.test(line));

test.each(probes)("$line is open to every client but a page, and to no other method", async (route) => {
  expect(await responded(route, [])).toBe(200);
  expect(
    await responded(route, [
      ["Host", "a.example"],
      ["Authorization", "Bearer any"],
    ]),
  ).toBe(200);
  expect(await responded(route, [host, ["Origin", "http://localhost:7575"]])).toBe(401);
  expect(
    await responded(route, [
      ["Host", "a.example"],
      ["Sec-Fetch-Site", "same-origin"],
    ]),
  ).toBe(403);
  const [, path = ""] = route.line.split(" ");
  const line = (method: string, target: string) => ({ line: `${method} ${target}`, members: [] });
  expect(await responded(line("HEAD", path), [])).toBe(200);
  expect(await responded(line("POST", path), [host])).toBe(401);
  expect(await responded(line("POST", path), [host, right])).toBe(405);
  expect(await responded(line("GET", `${path}?a=1`), [host])).toBe(401);
  expect(await responded(line("GET", `${path}/`), [host])).toBe(401);
});

const others = routes.filter((route) => !probes.includes(route));

test.each(others)("$line requires the token, an allowed host and no foreign origin", async (route) => {
  for (const name of route.members) expect(Object.keys(samples)).toContain(name);
  expect(await responded(route, [host])).toBe(401);
  expect(await responded(route, [host, ["Authorization", "Bearer any"]])).toBe(401);
  expect(await responded(route, [host, ["Cookie", "understudy-control-7575=any"]])).toBe(401);
  expect(await responded(route, [["Host", "a.example"], right])).toBe(403);
  expect(await responded(route, [host, right, ["Origin", "http://a.example"]])).toBe(403);
  expect(await responded(route, [host, cookie, ["Origin", "null"]])).toBe(403);
  expect([200, 201, 409]).toContain(await responded(route, [host, right]));
  expect([200, 201, 409]).toContain(await responded(route, [host, cookie, ["Origin", "http://localhost:7575"]]));
});

/** Sends the head of a request unchanged, and returns the status of the response. */
async function raw(url: string, line: string, headers: readonly string[] = []): Promise<number> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    text += String(chunk);
  });
  socket.write([`${line} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n"));
  await once(socket, "close");
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

test("other spellings of a target do not bypass the access check", async () => {
  const { url } = await serving([], secret);
  const [own, known] = ["Host: 127.0.0.1", `Authorization: Bearer ${token}`];
  for (const [target, withToken, without] of [
    ["/__understudy/worlds", 200, 401],
    ["/__understudy/worlds/", 200, 401],
    ["/__understudy/worlds?a=http://localhost", 200, 401],
    ["/__understudy/../__understudy/worlds", 404, 401],
    ["/__understudyx/worlds/default/traffic", 404, 404],
    [`${url}/__understudy/worlds`, 200, 401],
    ["//__understudy/worlds", 404, 404],
    ["/w/default/__understudy/worlds", 404, 404],
    ["/%5F%5Funderstudy/worlds", 404, 404],
    ["/__understudy%2Fworlds", 404, 404],
    ["/./__understudy/worlds", 404, 404],
    ["/v2/../__understudy/worlds", 404, 404],
  ] as const) {
    expect([target, await raw(url, `GET ${target}`, [own, known])]).toEqual([target, withToken]);
    expect([target, await raw(url, `GET ${target}`, [own])]).toEqual([target, without]);
  }
  expect(await raw(url, "GET /__understudy/worlds", [own, own, known])).toBe(400);
  expect(await raw(url, "GET /__understudy/worlds", [own, known, known])).toBe(401);
  expect(await raw(url, "GET /__understudy/worlds", [own, known, "Understudy-World: unknown"])).toBe(200);
});

test("a stub with a control token serves API paths without it, and logs no token", async () => {
  const stub = await serving([], secret);
  expect((await fetch(`${stub.url}/v2/users`, { headers: { Authorization: "Bearer any" } })).status).toBe(200);
  expect((await fetch(`${stub.url}/__understudy/worlds`)).status).toBe(401);
  expect((await fetch(`${stub.url}/__understudy/worlds`, { headers: bearer })).status).toBe(200);
  expect(stub.ready).toContain("The control API requires a token: the one from --control-token");
  expect(stub.ready).toContain('curl -s -H "Authorization: Bearer $UNDERSTUDY_CONTROL_TOKEN"');
  expect(stub.ready).not.toContain(token);
});

test("beyond loopback the stub generates a token and prints it once; host names need --allow-host, addresses do not", async () => {
  const stub = await serving(["--host", "0.0.0.0", "--allow-host", "Stub"]);
  const made = /UNDERSTUDY_CONTROL_TOKEN=([\w-]{43})/.exec(stub.ready)?.[1];
  expect(stub.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(stub.ready).toContain("Listening on 0.0.0.0: every machine that reaches this address can send requests.");
  const known = `Authorization: Bearer ${made}`;
  const worlds = "GET /__understudy/worlds";
  expect(await raw(stub.url, worlds, ["Host: 127.0.0.1"])).toBe(401);
  expect(await raw(stub.url, worlds, ["Host: stub:7575", known])).toBe(200);
  expect(await raw(stub.url, worlds, ["Host: 192.0.2.7:7575", known])).toBe(200);
  expect(await raw(stub.url, worlds, ["Host: a.example", known])).toBe(403);
  expect(await raw(stub.url, "GET /livez", ["Host: a.example"])).toBe(200);
});

test("the ready event contains a generated token, but not a given one", async () => {
  const [made, given] = await Promise.all([
    serving(["--json", "--host", "0.0.0.0"]),
    serving(["--json", "--host", "0.0.0.0"], secret),
  ]);
  expect(JSON.parse(made.ready).controlToken).toMatch(/^[\w-]{43}$/);
  expect(JSON.parse(given.ready)).not.toHaveProperty("controlToken");
  expect(given.ready).not.toContain(token);
});

test("without a control API no address requires a token", async () => {
  const stub = await serving(["--host", "0.0.0.0", "--no-control"]);
  expect(stub.ready).not.toContain("token:");
  expect((await fetch(`${stub.url}/__understudy/worlds`)).status).toBe(404);
});

test("every loopback address can be used without a token", async () => {
  const stub = await serving(["--host", "127.0.0.2"]);
  expect(stub.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
  expect((await fetch(`${stub.url}/__understudy/worlds`)).status).toBe(200);
});

test("commands that call the control API of a running stub send the token, and report a missing one", async () => {
  const stub = await serving([steps], secret);
  const against = ["run", steps, "--against", stub.url];
  const [known, unknown] = await Promise.all([understudy(against, secret), understudy(against)]);
  expect(known).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^passed .*: (\d+) of \1 steps/) });
  expect(unknown).toMatchObject({
    exitCode: 2,
    out: "",
    error: expect.stringContaining("Set --control-token"),
  });
  const wrong = await understudy([...against, "--control-token", "another-token-than-that"]);
  expect(wrong).toMatchObject({ exitCode: 2, error: expect.stringContaining("Set --control-token") });
  expect(known.out + wrong.error).not.toContain(token);
});

test("the inspector of a recorder requires the token", async () => {
  const stub = await serving([]);
  const recorder = await recording(
    ["--ledger", stub.url, "--out", join(temporaryFolder(), "x.har"), "--inspector", "--json"],
    secret,
  );
  const inspector = JSON.parse(recorder.ready).inspector;
  expect((await fetch(`${inspector}/__understudy/worlds/default/traffic`)).status).toBe(401);
  expect((await fetch(`${inspector}/__understudy/worlds/default/traffic`, { headers: bearer })).status).toBe(200);
});
