import { expect, test } from "vitest";
import { accessBy } from "../../src/control/access.ts";
import { withControl } from "../../src/control/control.ts";
import { defaultWorldId } from "../../src/hosting/hosting.ts";
import type { Answer } from "../../src/http/handler.ts";
import type { HeaderList } from "../../src/http/header.ts";
import type { Request } from "../../src/http/request.ts";
import { diskFiles, packagedFile, quickstartScenario } from "../../src/library/files.ts";
import { hostScenario } from "../../src/library/host-scenario.ts";
import { loadScenario } from "../../src/scenario/load-scenario.ts";
import { amongWorkers, type Worker } from "../../src/workers/among-workers.ts";
import { forkPrefixOf, ownerOf } from "../../src/workers/team.ts";

/** Workers of one process, and a way to ask one of them. What they ask each other is noted. */
function workersOf(count: number, hasControl = true) {
  const loaded = loadScenario(packagedFile(quickstartScenario), diskFiles);
  if (loaded.type === "mistaken") throw new Error("the quickstart has no mistakes");
  const { scenario } = loaded;
  const team = { count, prefix: "fork" };
  const asked: string[] = [];
  const workers: Worker[] = [];
  for (let worker = 1; worker <= count; worker += 1) {
    const hosting = hostScenario(scenario, { wallNowMs: () => 0, forkPrefix: forkPrefixOf(worker, team) });
    const settings = {
      worker,
      team,
      own: hasControl ? withControl(hosting, accessBy("h")) : hosting.handler,
      ask: async (other: number, request: Request) => {
        asked.push(`${worker} asks ${other}: ${request.method} ${request.target}`);
        return workers[other - 1]?.forOthers(request) ?? Promise.reject(new Error(`there is no worker ${other}`));
      },
      hasControl,
      isDefaultAsBegun: () => hosting.worlds.get(defaultWorldId)?.world.isAsBegun === true,
    };
    workers.push(amongWorkers(settings));
  }
  const ask = async (worker: number, line: string, { headers = [], body = "" }: Asked = {}) => {
    const [method = "", target = ""] = line.split(" ");
    const all: HeaderList = [["Host", "h"], ["Authorization", "Bearer any"], ...headers];
    const bytes = new TextEncoder().encode(body);
    return read(await workers[worker - 1]?.handler({ method, target, headers: all, body: bytes }));
  };
  const fork = async (worker: number, body = "", world = "default") =>
    (await ask(worker, `POST /__understudy/worlds/${world}/fork`, { body })).json.id;
  return { ask, fork, asked };
}

interface Asked {
  readonly headers?: HeaderList;
  readonly body?: string;
}

function read(answer: Answer | undefined) {
  if (answer?.type !== "response") throw new Error("no answer, or a broken one");
  const text = new TextDecoder().decode(answer.body);
  return { status: answer.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
}

const user = '{"user":{"id":"zoe"}}';
const json: HeaderList = [["Content-Type", "application/json"]];

test("a request reaches its world at any worker, by path, by header and in the control API", async () => {
  const { ask, fork, asked } = workersOf(2);
  expect([await fork(1), await fork(1)]).toEqual(["fork-2-1", "fork-1-1"]);
  asked.length = 0;
  const world: HeaderList = [["Understudy-World", "fork-2-1"]];
  expect(await ask(1, "POST /w/fork-2-1/v2/users", { headers: json, body: user })).toMatchObject({ status: 200 });
  expect(await ask(1, "GET /v2/users/zoe", { headers: world })).toMatchObject({ status: 200 });
  expect(await ask(1, "GET /__understudy/worlds/fork-2-1")).toMatchObject({ json: { id: "fork-2-1", requests: 2 } });
  expect(await ask(2, "GET /v2/users/zoe")).toMatchObject({ status: 404 });
  expect(asked).toEqual([
    "1 asks 2: POST /w/fork-2-1/v2/users",
    "1 asks 2: GET /v2/users/zoe",
    "1 asks 2: GET /__understudy/worlds/fork-2-1",
    "2 asks 1: GET /v2/users/zoe",
  ]);
  asked.length = 0;
  expect(await ask(2, "GET /w/fork-2-1/v2/users/zoe")).toMatchObject({ status: 200 });
  expect(await ask(1, "GET /w/fork-1-1/v2/users/zoe")).toMatchObject({ status: 404 });
  expect(asked).toEqual([]);
});

test("every worker lists the worlds of all, the default one once and first", async () => {
  const { ask, fork } = workersOf(3);
  for (let forks = 0; forks < 4; forks += 1) await fork(2);
  const ids = async (worker: number) =>
    (await ask(worker, "GET /__understudy/worlds")).json.worlds.map(({ id }: { readonly id: string }) => id);
  const all = ["default", "fork-1-1", "fork-2-1", "fork-2-2", "fork-3-1"];
  expect([await ids(1), await ids(2), await ids(3)]).toEqual([all, all, all]);
  expect(await ask(2, "PUT /__understudy/worlds")).toMatchObject({ status: 405 });
  expect(await ask(2, "GET /__understudy/worlds", { headers: [["Origin", "http://a.example"]] })).toMatchObject({
    status: 403,
  });
});

test("forks of the default world go to the workers in turn while it is as it began, and later where they start there", async () => {
  const { ask, fork } = workersOf(2);
  expect(await fork(2)).toBe("fork-2-1");
  expect(await fork(2, '{"from":"now"}')).toBe("fork-1-1");
  await ask(2, "POST /v2/users", { headers: json, body: user });
  expect([await fork(2), await fork(1)]).toEqual(["fork-1-2", "fork-1-3"]);
  expect([await fork(2, '{"from":"start"}'), await fork(1, '{"from":"start"}')]).toEqual(["fork-2-2", "fork-1-4"]);
  const zoes = ["fork-1-1", "fork-1-2", "fork-2-2", "fork-1-4"].map((id) => ask(1, `GET /w/${id}/v2/users/zoe`));
  expect((await Promise.all(zoes)).map(({ status }) => status)).toEqual([404, 200, 404, 404]);
  await ask(1, "POST /__understudy/worlds/default/reset");
  expect(await fork(1)).toBe("fork-2-3");
});

test("any other fork stays with its origin", async () => {
  const { ask, fork } = workersOf(2);
  const origin = await fork(1);
  expect(origin).toBe("fork-2-1");
  await ask(1, `POST /w/${origin}/v2/users`, { headers: json, body: user });
  expect(await fork(1, "", origin)).toBe("fork-2-2");
  expect(await fork(1, '{"from":"start"}', origin)).toBe("fork-2-3");
  expect(await fork(1, '{"at":0}')).toBe("fork-1-1");
  expect(await ask(1, "GET /w/fork-2-2/v2/users/zoe")).toMatchObject({ status: 200 });
});

test("what no fork can be made of is refused as by one process", async () => {
  const { ask } = workersOf(2);
  const forked = (body: string) => ask(2, "POST /__understudy/worlds/default/fork", { body });
  expect(await forked("[]")).toMatchObject({ status: 400, json: { error: "The body is no JSON object." } });
  expect(await forked('{"from":"later"}')).toMatchObject({
    status: 400,
    json: { error: '"from" is "now" or "start".' },
  });
  expect(await forked('{"at":7}')).toMatchObject({ status: 404 });
});

test("a worker without room leaves a fork to the next, until none has any", async () => {
  const { ask, fork } = workersOf(2);
  for (let forks = 1; forks < 10_000; forks += 1) await fork(2, "", forks === 1 ? "default" : "fork-2-1");
  expect(await fork(1)).toBe("fork-1-1");
  expect(await fork(1)).toBe("fork-1-2");
  for (let forks = 3; forks < 10_000; forks += 1) await fork(1, "", "fork-1-1");
  expect(await ask(1, "POST /__understudy/worlds/default/fork")).toMatchObject({ status: 409 });
});

test("a world that nobody has is told of as by one process, whatever its id looks like", async () => {
  const { ask } = workersOf(2);
  for (const id of ["nowhere", "fork-1", "fork-1-9", "fork-2-9", "fork-3-1", "fork-0-1", "fork-02-1", "fork--1"]) {
    const text = `There is no world "${id}". GET /__understudy/worlds lists those that there are.`;
    expect(await ask(2, `GET /w/${id}/v2/users`)).toMatchObject({ status: 404, text });
    expect(await ask(1, `DELETE /__understudy/worlds/${id}`)).toMatchObject({ status: 404 });
  }
});

test("the owner of a world is in its id", () => {
  const team = { count: 12, prefix: "a" };
  expect(["default", "a-1-1", "a-12-5", "a-13-1", "b-2-1", "a-2", "a-2-"].map((id) => ownerOf(id, team))).toEqual([
    1, 1, 12, 1, 1, 1, 2,
  ]);
});

test("without the control API its paths are the default world's", async () => {
  const { ask, asked } = workersOf(2, false);
  for (const line of ["GET /__understudy/worlds", "POST /__understudy/worlds/default/fork", "GET /__understudy/"])
    expect(await ask(2, line)).toMatchObject({ status: 404 });
  expect(asked).toHaveLength(3);
});

test.each(["/__understudy", "/__understudy/", "/__understudy/events", "/__understudy/worlds/default/traffic"])(
  "says at %s that the inspector needs one process",
  async (target) => {
    const { ask } = workersOf(2);
    expect((await ask(1, `GET ${target}`)).json.error).toContain("serve without --workers");
  },
);

test("shows the limits of all workers as one, what is in use and what went beyond added up", async () => {
  const { ask, fork } = workersOf(2);
  for (let count = 0; count < 3; count += 1) await fork(1);
  const [one, other] = [await ask(1, "GET /__understudy/limits"), await ask(2, "GET /__understudy/limits")];
  const worlds = (json: { limits: readonly { name: string }[] }) =>
    json.limits.find(({ name }) => name === "worldsMax");
  expect(worlds(one.json)).toEqual({
    name: "worldsMax",
    flag: "worlds-max",
    unit: "",
    value: 10_000,
    inUse: 5,
    exceeded: 0,
  });
  expect([one.json.limits.length, one.json.malformed, other.text]).toEqual([15, 0, one.text]);
});
