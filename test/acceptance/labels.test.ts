import { expect, test } from "vitest";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import { headerValue } from "../../src/foundation/http/header.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { type LabelQuota, LabelQuotas } from "../../src/stub/hosting/label-quotas.ts";
import { scenarioOf } from "../_scenario.ts";
import { serving, understudy } from "./_command-line.ts";

/** A stub in the process with quotas, in time that the test sets. */
function sandbox(quotas: Readonly<Record<string, LabelQuota>> = {}, scenario = "quickstart") {
  const clock = { nowMs: Date.parse("2026-01-01T00:00:00Z") };
  const hosting = hostScenario(scenarioOf(scenario), {
    wallNowMs: () => clock.nowMs,
    quotas: new LabelQuotas(new Map(Object.entries(quotas)), () => clock.nowMs),
  });
  const handler = withControl(hosting, loopbackAccess);
  const send = async (line: string, body: object | string = "") => {
    const [method = "", path = ""] = line.split(" ");
    const response = await handler({
      method,
      target: path.startsWith("/") ? path : `/__understudy/${path}`,
      headers: [
        ["Host", "localhost"],
        ["Authorization", "Bearer any"],
        ["Content-Type", "application/json"],
      ],
      body: new Body(typeof body === "string" ? body : JSON.stringify(body)),
    });
    if (response.type !== "response") throw new Error(`the response is broken: ${response.kind}`);
    const text = response.body.text();
    const json = /^\{.*\}$/.test(text) ? JSON.parse(text) : {};
    return { status: response.status, text, json, retryAfter: headerValue(response.headers, "retry-after") };
  };
  const forkOf = async (body: object, world = "default") =>
    String((await send(`POST worlds/${world}/fork`, body)).json.id);
  return { clock, hosting, send, forkOf };
}

test("a fork has labels and an end, which lists show; a fork of it inherits the labels alone", async () => {
  const { send, forkOf } = sandbox();
  const fork = await forkOf({ labels: ["team-a", "x.1_y"], ttl: "PT8H" });
  const inner = await forkOf({}, fork);
  const own = await forkOf({ labels: ["team-b"] }, fork);
  const { worlds } = (await send("GET worlds")).json;
  expect(worlds.map(({ id, labels, expiresAt }: Record<string, unknown>) => ({ id, labels, expiresAt }))).toEqual([
    { id: "default", labels: [], expiresAt: null },
    { id: fork, labels: ["team-a", "x.1_y"], expiresAt: "2026-01-01T08:00:00.000Z" },
    { id: inner, labels: ["team-a", "x.1_y"], expiresAt: null },
    { id: own, labels: ["team-b"], expiresAt: null },
  ]);
});

test.each([
  [{ labels: "team-a" }, '"labels": "team-a" is not valid. Use a list of at most 8 different labels'],
  [{ labels: ["a b"] }, '"labels": ["a b"] is not valid'],
  [{ labels: [""] }, '"labels": [""] is not valid'],
  [{ labels: ["*"] }, '"labels": ["*"] is not valid'],
  [{ labels: [5] }, '"labels": [5] is not valid'],
  [{ labels: ["a", "a"] }, '"labels": ["a","a"] is not valid'],
  [{ labels: ["a".repeat(64)] }, "each with 1 to 63 of the characters"],
  [{ labels: ["1", "2", "3", "4", "5", "6", "7", "8", "9"] }, "at most 8"],
  [{ ttl: "8h" }, '"ttl": "8h" is not valid. Use an ISO-8601 duration such as "PT8H", at most PT8760H.'],
  [{ ttl: 5 }, '"ttl": 5 is not valid'],
  [{ ttl: "PT0S" }, '"ttl": "PT0S" is not valid'],
  [{ ttl: "PT8761H" }, '"ttl": "PT8761H" is not valid'],
])("refuses the fork %j with what is valid", async (body, problem) => {
  const { send, hosting } = sandbox();
  const refused = await send("POST worlds/default/fork", body);
  expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining(problem)]);
  expect(hosting.worlds.size).toBe(1);
});

test("labels and times to live may be as long as allowed", async () => {
  const { send } = sandbox();
  const labels = ["1", "2", "3", "4", "5", "6", "7", "a".repeat(63)];
  expect((await send("POST worlds/default/fork", { labels, ttl: "PT8760H" })).status).toBe(201);
  expect((await send("POST worlds/default/fork", { ttl: "PT0.001S" })).status).toBe(201);
});

test("a world whose time has come gets 404, and does not count any more", async () => {
  const { clock, hosting, send, forkOf } = sandbox({ "team-a": { worlds: 1 } }, "reassignment-by-calls");
  const brief = await forkOf({ labels: ["team-a"], ttl: "PT1S" });
  const long = await forkOf({ ttl: "PT1H" });
  clock.nowMs += 999;
  expect((await send(`GET /w/${brief}/v2/users`)).status).toBe(200);
  clock.nowMs += 1;
  expect((await send(`GET /w/${brief}/v2/users`)).status).toBe(404);
  expect((await send(`GET worlds/${brief}`)).status).toBe(404);
  expect([...hosting.worlds.keys()]).toEqual(["default", long]);
  expect((await send("POST worlds/default/fork", { labels: ["team-a"] })).status).toBe(201);
  clock.nowMs += 3_600_000;
  expect((await send("GET worlds")).text).not.toContain(`"${long}"`);
});

test("a fork beyond the number of worlds of a label is refused, and counted", async () => {
  const { send, forkOf } = sandbox({ "team-a": { worlds: 2 }, "*": { worlds: 1 } });
  const first = await forkOf({ labels: ["team-a"] });
  await forkOf({}, first);
  const refused = await send(`POST worlds/${first}/fork`);
  expect([refused.status, refused.json.error]).toEqual([
    409,
    "The label team-a has its 2 worlds (--quota team-a:worlds). Remove one of them, or raise the quota.",
  ]);
  expect((await send("POST worlds/default/fork", { labels: ["b", "team-a"] })).status).toBe(409);
  expect((await send("POST worlds/default/fork", { labels: ["b"] })).status).toBe(201);
  expect((await send("POST worlds/default/fork", { labels: ["b"] })).status).toBe(409);
  expect((await send(`DELETE worlds/${first}`)).status).toBe(200);
  expect((await send("POST worlds/default/fork", { labels: ["team-a"] })).status).toBe(201);
  expect((await send("POST worlds/default/fork")).status).toBe(201);
  expect((await send("GET limits")).json.quotas).toEqual([
    { label: "team-a", name: "worlds", value: 2, exceeded: 2 },
    { label: "b", name: "worlds", value: 1, exceeded: 1 },
  ]);
});

test("an archive has the labels of its world, and its import counts against their quotas", async () => {
  const { send, forkOf } = sandbox({ "team-a": { worlds: 2 } });
  const archive = (await send(`GET worlds/${await forkOf({ labels: ["team-a"] })}/archive`)).text;
  const imported = await send("POST worlds", archive);
  expect(imported.status).toBe(201);
  expect((await send(`GET worlds/${imported.json.id}`)).json.labels).toEqual(["team-a"]);
  expect((await send("POST worlds", archive)).json.error).toContain("(--quota team-a:worlds)");
});

test("requests beyond the rate of a label get 429 with Retry-After, and are not executed", async () => {
  const { clock, hosting, send, forkOf } = sandbox({ "team-a": { rate: 2 } });
  const [first, second] = [await forkOf({ labels: ["team-a"] }), await forkOf({ labels: ["team-a"] })];
  expect((await send(`GET /w/${first}/v2/users`)).status).toBe(200);
  expect((await send(`GET /w/${second}/v2/users`)).status).toBe(200);
  const refused = await send(`POST /w/${first}/v2/users`, { user: { id: "zoe" } });
  expect(refused).toMatchObject({ status: 429, retryAfter: "1" });
  expect(refused.text).toContain("more than 2 requests a second (--quota team-a:rate)");
  expect(hosting.worlds.get(first)?.world.state.ledger.users.has("zoe")).toBe(false);
  expect((await send("GET /v2/users")).status).toBe(200);
  clock.nowMs += 500;
  expect((await send(`POST /w/${first}/v2/users`, { user: { id: "zoe" } })).status).toBe(200);
  expect((await send("GET limits")).json.quotas).toEqual([{ label: "team-a", name: "rate", value: 2, exceeded: 1 }]);
});

test("a world beyond its bytes refuses writes, and serves reads and lookups", async () => {
  const { send, forkOf } = sandbox({ "team-a": { bytes: 1000 } });
  const [full, other] = [await forkOf({ labels: ["team-a"] }), await forkOf({ labels: ["team-a"] })];
  const create = (world: string, id: string) =>
    send(`POST /w/${world}/v2/users`, { user: { id, metadata: { annotations: { text: "x".repeat(1000) } } } });
  expect((await create(full, "u1")).status).toBe(200);
  const refused = await create(full, "u2");
  expect([refused.status, refused.text]).toEqual([
    429,
    expect.stringMatching(
      /^The world fork-1 has \d+ bytes, and the label team-a allows 1000 \(--quota team-a:bytes\), so the request was not executed\. Remove the world, and fork another one\.$/,
    ),
  ]);
  expect((await send(`DELETE /w/${full}/v2/users/u1`)).status).toBe(429);
  expect((await send(`GET /w/${full}/v2/users/u1`)).status).toBe(200);
  expect((await send(`POST /w/${full}/v2/package-vetting/list`, {})).status).not.toBe(429);
  expect((await create(other, "u1")).status).toBe(200);
});

test("serve reads quotas, and refuses one that is not valid", async () => {
  const stub = await serving(["--quota", "team-a:worlds=1", "--quota", "*:rate=1000"]);
  const fork = (labels: readonly string[]) =>
    fetch(`${stub.url}/__understudy/worlds/default/fork`, { method: "POST", body: JSON.stringify({ labels }) });
  expect([(await fork(["team-a"])).status, (await fork(["team-a"])).status]).toEqual([201, 409]);
  expect(await understudy(["serve", "--quota", "team-a"])).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining(
      "--quota team-a: not a valid quota. Use LABEL:worlds=N,bytes=N,rate=N with at least one of the limits",
    ),
  });
});
