import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { impliedRegistryProfile } from "../../src/foundation/spec/spec.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { sendOverHttp } from "../../src/transport/client/send-over-http.ts";
import { startServer } from "../../src/transport/server/http-server.ts";

const folder = fileURLToPath(new URL("../../scenarios/", import.meta.url));
const files = readdirSync(folder).filter((file) => file.endsWith(".arazzo.yaml"));

function load(file: string) {
  const result = loadScenario(`${folder}${file}`, diskFiles);
  if (result.type === "invalid") throw new Error(JSON.stringify(result.problems));
  return result.scenario;
}

function hostingOf(file: string, ledger: string): Hosting {
  const profile = { ledger, registry: impliedRegistryProfile(ledger) };
  return hostScenario(load(file), { profile, wallNowMs: () => 0 });
}

test.each(files.flatMap((file) => ["spec", "canton-3.5"].map((profile) => [file, profile] as const)))(
  "%s holds over HTTP in profile %s",
  async (file, profile) => {
    const handler = withControl(hostingOf(file, profile), accessBy("127.0.0.1"));
    const server = await startServer({
      handler,
      host: "127.0.0.1",
      port: 0,
      isCorsAllowed: false,
      onFault: () => {},
    });
    try {
      const results = await runScenario(load(file), {
        handler: sendOverHttp(server.url),
        hasControl: true,
        nowMs: () => 0,
      });
      expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
      expect(results.length).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  },
);

test("a broken response turns a scenario red and names the condition", async () => {
  const handler = async () => textResponse(200, "application/json", '{"users":[{"id":"mallory"}]}');
  const [result] = await runScenario(load("quickstart.arazzo.yaml"), { handler, hasControl: true, nowMs: () => 0 });
  expect(result).toMatchObject({
    outcome: "failed",
    reason: "$response.body#/users/0/id == 'alice' does not hold: $response.body#/users/0/id is \"mallory\"",
  });
});

test("a step on the control API is not run against a target without one, and never passes", async () => {
  const { handler } = hostingOf("reassignment-by-steps.arazzo.yaml", "spec");
  const results = await runScenario(load("reassignment-by-steps.arazzo.yaml"), {
    handler,
    hasControl: false,
    nowMs: () => 0,
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(["passed", "not-run"]);
});

async function controlled(method: string, target: string, body = "") {
  const hosting = hostingOf("quickstart.arazzo.yaml", "canton-3.5");
  const handler = withControl(hosting, accessBy("h"));
  const ask = async (how: string, where: string, what = "", more: readonly (readonly [string, string])[] = []) => {
    const headers = [["Host", "h"], ...more] as const;
    const response = await handler({ method: how, target: where, headers, body: new Body(what) });
    if (response.type === "broken") throw new Error("broken");
    return { status: response.status, json: JSON.parse(response.body.text()) };
  };
  await ask("GET", "/v2/users?pageSize=-1", "", [["Authorization", "Bearer topsecret"]]);
  return ask(method, target, body);
}

test.each([
  ["POST", "/__understudy/worlds/default/clock/advance", "{", 400, /is not a JSON object/],
  ["POST", "/__understudy/worlds/default/clock/advance", "[]", 400, /is not a JSON object/],
  ["POST", "/__understudy/worlds/default/clock/advance", '{"by":"soon"}', 400, /Use an ISO-8601 duration such as/],
  ["POST", "/__understudy/worlds/default/clock/advance", '{"by":"PT99999999999999H"}', 400, /ends with the year 9999/],
  ["POST", "/__understudy/worlds/default/fork", '{"from":"then"}', 400, /"now" or "start"/],
  [
    "POST",
    "/__understudy/worlds/default/reassignments/begin",
    '{"contract":"x","to":"synchronizer-b"}',
    404,
    /has no contract "x"\. .*amulet-rules/,
  ],
  [
    "POST",
    "/__understudy/worlds/default/reassignments/begin",
    '{"contract":"amulet-rules","to":"x"}',
    404,
    /has no synchronizer "x"/,
  ],
  [
    "POST",
    "/__understudy/worlds/default/reassignments/begin",
    '{"contract":"amulet-rules","to":"synchronizer-a"}',
    409,
    /already assigned to "synchronizer-a"/,
  ],
  ["POST", "/__understudy/worlds/default/reassignments/complete", '{"contract":"x"}', 404, /has no contract/],
  [
    "POST",
    "/__understudy/worlds/default/reassignments/complete",
    `{"contract":"${"x".repeat(10_000)}"}`,
    404,
    /^The registry has no contract "x{1999}…\. .{0,300}$/,
  ],
  [
    "POST",
    "/__understudy/worlds/default/reassignments/complete",
    '{"contract":"amulet-rules"}',
    409,
    /is not being reassigned/,
  ],
  ["POST", "/__understudy/worlds/default/plan", "{}", 400, /"plan" is missing or empty/],
  [
    "POST",
    "/__understudy/worlds/default/plan",
    '{"plan":[{"on":"getV2User","instead":{"status":503}}]}',
    400,
    /Did you mean "getV2Users"/,
  ],
  ["DELETE", "/__understudy/worlds/default", "", 409, /The default world cannot be removed/],
  ["GET", "/__understudy/worlds/none", "", 404, /no world "none"/],
  ["GET", "/__understudy/nothing", "", 404, /contracts\/control\.yaml/],
  ["PUT", "/__understudy/worlds", "", 405, /GET lists the worlds/],
])("the control API responds to %s %s %s with %d and the reason", async (method, target, body, status, error) => {
  expect(await controlled(method, target, body)).toEqual({ status, json: { error: expect.stringMatching(error) } });
});

test("the control API takes entries of a plan, which count from then on", async () => {
  const hosting = hostingOf("quickstart.arazzo.yaml", "canton-3.5");
  const handler = withControl(hosting, accessBy("h"));
  const ask = async (method: string, target: string, body = "") => {
    const headers = [
      ["Host", "h"],
      ["Authorization", "Bearer any"],
    ] as const;
    const response = await handler({ method, target, headers, body: new Body(body) });
    return response.type === "response" ? response.status : response.kind;
  };
  expect(await ask("GET", "/v2/users")).toBe(200);
  const plan = [{ on: "getV2Users", nth: 2, instead: { reset: true } }];
  expect(await ask("POST", "/__understudy/worlds/default/plan", JSON.stringify({ plan }))).toBe(200);
  expect([await ask("GET", "/v2/users"), await ask("GET", "/v2/users")]).toEqual([200, "reset"]);
});

test("the control API shows the journal without secrets", async () => {
  const { json } = await controlled("GET", "/__understudy/worlds/default/journal");
  expect(json.exchanges).toMatchObject([
    {
      method: "GET",
      target: "/v2/users?pageSize=-1",
      status: 400,
      responseBody: expect.stringContaining("INVALID_ARGUMENT"),
    },
  ]);
  expect(JSON.stringify(json)).not.toContain("topsecret");
});

test("the control API refuses a foreign host and a foreign page", async () => {
  const handler = withControl(hostingOf("quickstart.arazzo.yaml", "spec"), accessBy("127.0.0.1"));
  const status = async (headers: readonly (readonly [string, string])[]) => {
    const response = await handler({ method: "GET", target: "/__understudy/worlds", headers, body: emptyBody });
    return response.type === "response" && response.status;
  };
  expect(await status([["Host", "127.0.0.1:7575"]])).toBe(200);
  expect(await status([["Host", "evil.example"]])).toBe(403);
  expect(
    await status([
      ["Host", "127.0.0.1:7575"],
      ["Origin", "https://evil.example"],
    ]),
  ).toBe(403);
});

test("the control API shows, forks, resets, moves and removes worlds", async () => {
  const hosting = hostingOf("quickstart.arazzo.yaml", "spec");
  const handler = withControl(hosting, accessBy("h"));
  const ask = async (method: string, path: string, body = "") => {
    const headers = [["Host", "H:80"]] as const;
    const target = `/__understudy/worlds${path}`;
    const response = await handler({ method, target, headers, body: new Body(body) });
    if (response.type === "broken") throw new Error("broken");
    return { status: response.status, json: JSON.parse(response.body.text()) };
  };
  const users = (world: string) =>
    handler({ method: "GET", target: `/w/${world}/v2/users`, headers: [], body: emptyBody });
  await users("default");
  expect((await ask("POST", "/default/clock/advance", '{"by":"PT1M"}')).json).toMatchObject({
    id: "default",
    now: "2026-01-01T00:06:00.000Z",
    requests: 1,
    journalled: 1,
  });
  expect(await ask("POST", "/default/fork")).toEqual({ status: 201, json: { id: "fork-1", path: "/w/fork-1" } });
  expect(await ask("POST", "/default/fork", '{"from":"start"}')).toMatchObject({ status: 201 });
  const times = (await ask("GET", "")).json.worlds.map(({ id, now }: { id: string; now: string }) => [id, now]);
  expect(times).toEqual([
    ["default", "2026-01-01T00:06:00.000Z"],
    ["fork-1", "2026-01-01T00:06:00.000Z"],
    ["fork-2", "2026-01-01T00:05:00.000Z"],
  ]);
  expect((await ask("POST", "/default/reset")).json).toMatchObject({
    now: "2026-01-01T00:05:00.000Z",
    requests: 0,
    journalled: 0,
  });
  expect(await ask("DELETE", "/fork-1")).toEqual({ status: 200, json: { removed: "fork-1" } });
  expect((await ask("GET", "/fork-1")).status).toBe(404);
  const gone = await users("fork-1");
  expect(gone.type === "response" && gone.status).toBe(404);
  const begin = '{"contract":"amulet-rules","to":"synchronizer-b"}';
  expect((await ask("POST", "/default/reassignments/begin", begin)).status).toBe(200);
  expect((await ask("POST", "/default/reassignments/begin", begin)).status).toBe(409);
  expect((await ask("POST", "/default/reassignments/complete", begin)).status).toBe(200);
});

test("the control API answers to pages of its own, and leaves paths alone that only begin like its own", async () => {
  const handler = withControl(hostingOf("quickstart.arazzo.yaml", "spec"), accessBy("localhost"));
  const status = async (target: string, headers: readonly (readonly [string, string])[]) => {
    const response = await handler({ method: "GET", target, headers, body: emptyBody });
    return response.type === "response" && response.status;
  };
  const origin = ["Origin", "http://localhost:3000"] as const;
  expect(await status("/__understudy/worlds", [["Host", "localhost"], origin])).toBe(200);
  expect(await status("/__understudy/worlds", [["Host", "evil.example"], origin])).toBe(403);
  expect(await status("/__understudy/worlds", [])).toBe(403);
  expect(await status("/__understudyworlds", [])).toBe(404);
});

test("the control API tells a response that never came, and how many older ones it dropped", async () => {
  const hosting = hostingOf("commit-then-timeout.arazzo.yaml", "spec");
  const handler = withControl(hosting, accessBy("h"));
  const ask = async (target: string) => {
    const response = await handler({ method: "GET", target, headers: [["Host", "h"]], body: emptyBody });
    return response.type === "response" ? JSON.parse(response.body.text()) : undefined;
  };
  const hosted = hosting.worlds.get("default");
  const request = { method: "GET", target: "/v2/idps", headers: [], body: emptyBody };
  const response = { type: "broken", kind: "timed-out" } as const;
  for (let time = 0; time <= 1000; time += 1)
    hosted?.journal.add(
      {
        startedAt: "2026-01-01T00:00:00.000Z",
        durationMs: 1,
        request,
        response,
        virtualAt: "2026-01-01T00:00:00.000Z",
        operationId: undefined,
        unexpected: undefined,
      },
      { before: hosted.world.state, after: hosted.world.state },
    );
  const journal = await ask("/__understudy/worlds/default/journal");
  expect(journal).toMatchObject({ dropped: 1, exchanges: { length: 1000 } });
  expect(journal.exchanges[0]).toMatchObject({ status: null, responseBody: "timed-out" });
});

test("a step's path parameter is encoded, and its query and body are sent as given", async () => {
  const sent: string[] = [];
  const steps = [
    {
      stepId: "one",
      operationId: "getV2PackagesPackage-idStatus",
      parameters: [{ name: "package-id", in: "path", value: "a/b $&" }],
    },
    { stepId: "two", operationId: "getV2Users", parameters: [{ name: "pageToken", in: "query", value: "a=&b" }] },
  ];
  const scenario = { ...load("quickstart.arazzo.yaml"), workflow: { steps } };
  const handler = async ({ target }: { readonly target: string }) => {
    sent.push(target);
    return textResponse(200, "application/json", "{}");
  };
  await runScenario(scenario, { handler, hasControl: false, nowMs: () => 0 });
  expect(sent).toEqual(["/v2/packages/a%2Fb%20%24%26/status", "/v2/users?pageToken=a%3D%26b"]);
});
