import { expect, test } from "vitest";
import { Body } from "../../src/foundation/http/body.ts";
import type { HeaderList } from "../../src/foundation/http/header.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { jsonOf } from "../../src/foundation/json/json.ts";
import { runScenario } from "../../src/scenarios/files/run-scenario.ts";
import { loneWorkflow } from "../../src/scenarios/files/workflow.ts";
import { accessBy, loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { sendOverHttp } from "../../src/transport/client/send-over-http.ts";
import { exchangeOf } from "../_exchange.ts";
import { hostingOf, scenarioFiles, scenarioOf, stepsOf } from "../_scenario.ts";
import { listening } from "../_server.ts";

const hosted = (name: string, ledger: string) => hostingOf(scenarioOf(name), ledger);

test.each(scenarioFiles.flatMap((file) => ["spec", "canton-3.5"].map((profile) => [file, profile] as const)))(
  "%s holds over HTTP in profile %s",
  async (file, profile) => {
    const { url } = await listening(withControl(hosted(file, profile), loopbackAccess));
    const results = await stepsOf(scenarioOf(file), sendOverHttp(url));
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
  },
);

test("a broken response turns a scenario red and names the condition", async () => {
  const handler = async () => textResponse(200, "application/json", '{"users":[{"id":"mallory"}]}');
  const [result] = await stepsOf(scenarioOf("quickstart"), handler);
  expect(result).toMatchObject({
    outcome: "failed",
    reason: "$response.body#/users/0/id == 'alice' does not hold: $response.body#/users/0/id is \"mallory\"",
  });
});

test("a step on the control API is not run against a target without one, and never passes", async () => {
  const { handler } = hosted("reassignment-by-steps", "spec");
  const target = { handler, hasControl: false, nowMs: () => 0 };
  const results = await runScenario(scenarioOf("reassignment-by-steps"), target);
  expect(results.map(({ outcome }) => outcome)).toEqual(["passed", "not-run"]);
});

const own: HeaderList = [["Host", "h"]];

/** The status of a response and its JSON, or how it failed. */
async function sent(
  hosting: Hosting,
  line: string,
  {
    body = "",
    headers = own,
    host = "h",
  }: { readonly body?: string; readonly headers?: HeaderList; readonly host?: string } = {},
) {
  const [method = "", target = ""] = line.split(" ");
  const request = { method, target, headers, body: new Body(body) };
  const response = await withControl(hosting, accessBy(host))(request);
  if (response.type === "broken") return { status: response.kind, json: undefined };
  return { status: response.status, json: jsonOf(response.body.text()) };
}

const world = "/__understudy/worlds/default";
const bearer: HeaderList = [...own, ["Authorization", "Bearer topsecret"]];

test.each([
  [`POST ${world}/clock/advance`, "{", 400, /is not a JSON object/],
  [`POST ${world}/clock/advance`, "[]", 400, /is not a JSON object/],
  [`POST ${world}/clock/advance`, '{"by":"soon"}', 400, /Use an ISO-8601 duration such as/],
  [`POST ${world}/clock/advance`, '{"by":"PT99999999999999H"}', 400, /ends with the year 9999/],
  [`POST ${world}/fork`, '{"from":"then"}', 400, /"now" or "start"/],
  [
    `POST ${world}/reassignments/begin`,
    '{"contract":"x","to":"synchronizer-b"}',
    404,
    /no contract "x"\. .*amulet-rules/,
  ],
  [`POST ${world}/reassignments/begin`, '{"contract":"amulet-rules","to":"x"}', 404, /has no synchronizer "x"/],
  [
    `POST ${world}/reassignments/begin`,
    '{"contract":"amulet-rules","to":"synchronizer-a"}',
    409,
    /already assigned to "/,
  ],
  [`POST ${world}/reassignments/complete`, '{"contract":"x"}', 404, /has no contract/],
  [
    `POST ${world}/reassignments/complete`,
    `{"contract":"${"x".repeat(10_000)}"}`,
    404,
    /^The registry has no contract "x{1999}…\. .{0,300}$/,
  ],
  [`POST ${world}/fork`, `{"from":"${"x".repeat(10_000)}"}`, 400, /"x{1999}….{0,100}$/],
  [`POST ${world}/fork`, `{"at":"${"x".repeat(10_000)}"}`, 404, /"x{1999}….{0,100}$/],
  [`POST ${world}/clock/advance`, `{"by":"${"x".repeat(10_000)}"}`, 400, /"x{1999}….{0,100}$/],
  [`POST ${world}/reassignments/complete`, '{"contract":"amulet-rules"}', 409, /is not being reassigned/],
  [`POST ${world}/plan`, "{}", 400, /"plan" is missing or empty/],
  [`POST ${world}/plan`, '{"plan":[{"on":"getV2User","instead":{"status":503}}]}', 400, /Did you mean "getV2Users"/],
  [`DELETE ${world}`, "", 409, /The default world cannot be removed/],
  ["GET /__understudy/worlds/none", "", 404, /no world "none"/],
  ["GET /__understudy/nothing", "", 404, /contracts\/control\.yaml/],
  ["PUT /__understudy/worlds", "", 405, /GET lists the worlds/],
])("the control API responds to %s %s with %d and the reason", async (line, body, status, error) => {
  const json = { error: expect.stringMatching(error) };
  expect(await sent(hosted("quickstart", "canton-3.5"), line, { body })).toEqual({ status, json });
});

test("the control API takes entries of a plan, which count from then on", async () => {
  const hosting = hosted("quickstart", "canton-3.5");
  const users = async () => (await sent(hosting, "GET /v2/users", { headers: bearer })).status;
  const before = await users();
  const body = JSON.stringify({ plan: [{ on: "getV2Users", nth: 2, instead: { reset: true } }] });
  expect((await sent(hosting, `POST ${world}/plan`, { body })).status).toBe(200);
  expect([before, await users(), await users()]).toEqual([200, 200, "reset"]);
});

test("the control API shows the journal without secrets", async () => {
  const hosting = hosted("quickstart", "canton-3.5");
  await sent(hosting, "GET /v2/users?pageSize=-1", { headers: bearer });
  const { json } = await sent(hosting, `GET ${world}/journal`);
  const responseBody = expect.stringContaining("INVALID_ARGUMENT");
  const exchanges = [{ method: "GET", target: "/v2/users?pageSize=-1", status: 400, responseBody }];
  expect(json).toMatchObject({ exchanges });
  expect(JSON.stringify(json)).not.toContain("topsecret");
});

const foreignHost = ["Host", "evil.example"] as const;
const ownPage = ["Origin", "http://localhost:3000"] as const;

test.each<[string, string, HeaderList, number]>([
  ["its own host", "/__understudy/worlds", [["Host", "127.0.0.1:7575"]], 200],
  ["a foreign host", "/__understudy/worlds", [foreignHost], 403],
  [
    "a foreign page",
    "/__understudy/worlds",
    [
      ["Host", "127.0.0.1:7575"],
      ["Origin", "https://evil.example"],
    ],
    403,
  ],
  ["a page of its own", "/__understudy/worlds", [["Host", "localhost"], ownPage], 200],
  ["a page of its own at a foreign host", "/__understudy/worlds", [foreignHost, ownPage], 403],
  ["no host", "/__understudy/worlds", [], 403],
  ["a foreign host, on a path that only begins like its own", "/__understudyworlds", [foreignHost], 404],
])("the control API responds to %s at %s", async (_name, target, headers, status) => {
  const hosting = hosted("quickstart", "spec");
  expect((await sent(hosting, `GET ${target}`, { headers, host: "localhost" })).status).toBe(status);
});

test("the control API shows, forks, resets, moves and removes worlds", async () => {
  const hosting = hosted("quickstart", "spec");
  const ask = async (method: string, path: string, body = "") => {
    const { status, json } = await sent(hosting, `${method} /__understudy/worlds${path}`, {
      body,
      headers: [["Host", "H:80"]],
    });
    return { status, json: Object(json) };
  };
  const users = (name: string) => sent(hosting, `GET /w/${name}/v2/users`);
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
  expect((await users("fork-1")).status).toBe(404);
  const begin = '{"contract":"amulet-rules","to":"synchronizer-b"}';
  expect((await ask("POST", "/default/reassignments/begin", begin)).status).toBe(200);
  expect((await ask("POST", "/default/reassignments/begin", begin)).status).toBe(409);
  expect((await ask("POST", "/default/reassignments/complete", '{"contract":"amulet-rules"}')).status).toBe(200);
});

test("the control API tells a response that never came, and how many older ones it dropped", async () => {
  const hosting = hosted("commit-then-timeout", "spec");
  const stub = hosting.worlds.get("default");
  const response = { type: "broken", kind: "timed-out" } as const;
  const exchange = { ...exchangeOf({ response }), virtualAt: "2026-01-01T00:00:00.000Z" };
  const entry = { ...exchange, operationId: undefined, unexpected: undefined };
  for (let time = 0; time <= 1000; time += 1)
    stub?.journal.add(entry, { before: stub.world.state, after: stub.world.state });
  const { exchanges, dropped } = Object((await sent(hosting, `GET ${world}/journal`)).json);
  expect([dropped, exchanges.length]).toEqual([1, 1000]);
  expect(exchanges[0]).toMatchObject({ status: null, responseBody: "timed-out" });
});

test("a step's path parameter is encoded, and its query and body are sent as given", async () => {
  const targets: string[] = [];
  const packageId = { name: "package-id", in: "path", value: "a/b $&" };
  const steps = [
    { stepId: "one", operationId: "getV2PackagesPackage-idStatus", parameters: [packageId] },
    { stepId: "two", operationId: "getV2Users", parameters: [{ name: "pageToken", in: "query", value: "a=&b" }] },
  ];
  const quickstart = scenarioOf("quickstart");
  const { source } = quickstart.main.document;
  const scenario = { ...quickstart, main: loneWorkflow(source, { workflowId: "two-steps", steps }) };
  const handler = async ({ target }: { readonly target: string }) => {
    targets.push(target);
    return textResponse(200, "application/json", "{}");
  };
  await runScenario(scenario, { handler, hasControl: false, nowMs: () => 0 });
  expect(targets).toEqual(["/v2/packages/a%2Fb%20%24%26/status", "/v2/users?pageToken=a%3D%26b"]);
});
