import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { connect } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { root, serving, temporaryFolder, understudy } from "./_command-line.ts";
import { servingProcess } from "./_process.ts";
import { overOneConnection, requestText } from "./_raw-client.ts";

const two = ["--workers", "2"];
const steps = join(root, "scenarios/reassignment-by-steps.arazzo.yaml");
const user = (id: string) => JSON.stringify({ user: { id } });
const any = { Authorization: "Bearer any" };

/** A way to ask a stub that gives status and JSON. */
function asking({ url }: { readonly url: string }) {
  return async (line: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
    const [method = "", target = ""] = line.split(" ");
    const type = body === undefined ? undefined : { "Content-Type": "application/json" };
    const init = { method, headers: { ...any, ...type, ...headers } };
    const answer = await fetch(`${url}${target}`, body === undefined ? init : { ...init, body });
    const text = await answer.text();
    return { status: answer.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
  };
}

/** A stub with two workers and a world in each of them, the second's first. */
async function twoWorlds(...words: readonly string[]) {
  const stub = await servingProcess([...two, ...words]);
  const ask = asking(stub);
  const fork = async () => (await ask("POST /__understudy/worlds/default/fork", '{"from":"start"}')).json.id;
  const ids: readonly string[] = [await fork(), await fork()];
  expect(ids).toEqual(["fork-2-1", "fork-1-1"]);
  return { stub, ask };
}

/** A scenario of the quickstart's fixtures with a plan, in a folder of its own. */
function planned(plan: string): string {
  const file = join(temporaryFolder(), "planned.arazzo.yaml");
  const text = readFileSync(join(root, "scenarios/quickstart.arazzo.yaml"), "utf8").replaceAll("../", root);
  writeFileSync(
    file,
    text.replace(/^( +)seed: .*$/m, (line, indent) => `${line}\n${indent}plan: ${plan}`),
  );
  return file;
}

test.concurrent("worlds of all workers answer at one address, by path, by header and in the control API", async () => {
  const { stub, ask } = await twoWorlds();
  expect(stub.ready).toContain("shared out among 2 workers. The inspector needs one process, and is not served.");
  for (const id of ["fork-2-1", "fork-1-1"]) {
    expect(await ask(`POST /w/${id}/v2/users`, user(`of-${id}`))).toMatchObject({ status: 200 });
    expect(await ask(`GET /v2/users/of-${id}`, undefined, { "Understudy-World": id })).toMatchObject({ status: 200 });
    expect((await ask(`GET /__understudy/worlds/${id}/journal`)).json.exchanges).toHaveLength(2);
    expect(await ask(`POST /__understudy/worlds/${id}/clock/advance`, '{"by":"PT1H"}')).toMatchObject({
      json: { id, now: "2026-01-01T01:05:00.000Z" },
    });
  }
  const seen = ["/w/fork-1-1", "/w/fork-2-1", ""].map((world) => ask(`GET ${world}/v2/users/of-fork-2-1`));
  expect((await Promise.all(seen)).map(({ status }) => status)).toEqual([404, 200, 404]);
  const listed = await ask("GET /__understudy/worlds");
  expect(listed.json.worlds.map(({ id }: { readonly id: string }) => id)).toEqual(["default", "fork-1-1", "fork-2-1"]);
  expect(await ask("POST /__understudy/worlds/fork-2-1/reset")).toMatchObject({
    json: { id: "fork-2-1", requests: 0 },
  });
  expect(await ask("GET /w/fork-2-1/v2/users/of-fork-2-1")).toMatchObject({ status: 404 });
  expect(await ask("DELETE /__understudy/worlds/fork-2-1")).toMatchObject({ json: { removed: "fork-2-1" } });
  expect(await ask("GET /w/fork-2-1/v2/users")).toMatchObject({
    status: 404,
    text: 'There is no world "fork-2-1". GET /__understudy/worlds lists those that there are.',
  });
  expect(await ask("GET /__understudy/")).toMatchObject({ status: 404 });
});

test.concurrent("a window in which a lookup is answered with 409 is one of its world alone", async () => {
  const stub = await servingProcess([...two, steps]);
  // Each run takes a world of its own, and two in turn are at different workers.
  for (const _ of [1, 2])
    expect(await understudy(["run", steps, "--against", stub.url, "--profile", "document"])).toMatchObject({
      exitCode: 0,
    });
  const ask = asking(stub);
  for (const _ of [1, 2]) await ask("POST /__understudy/worlds/default/fork");
  const body = '{"contract":"external-party-amulet-rules","to":"synchronizer-b"}';
  expect(await ask("POST /__understudy/worlds/fork-2-2/reassignments/begin", body)).toMatchObject({ status: 200 });
  const assignments = async (id: string) =>
    (await ask(`GET /__understudy/worlds/${id}`)).json.contracts.map(
      ({ assignment }: { readonly assignment: { readonly type: string } }) => assignment.type,
    );
  expect(await assignments("fork-2-2")).toContain("in-flight");
  expect(await assignments("fork-1-2")).not.toContain("in-flight");
});

const lines = [
  "GET /w/fork-2-1/v2/users/zoe",
  "GET /w/fork-1-1/v2/users/zoe",
  "GET /v2/users/zoe",
  "GET /w/nowhere/v2/users/zoe",
  "GET /__understudy/worlds/fork-1-1",
];

test.concurrent("one connection speaks to worlds of several workers, its requests sent at once", async () => {
  const { stub, ask } = await twoWorlds();
  expect(await ask("POST /w/fork-1-1/v2/users", user("zoe"))).toMatchObject({ status: 200 });
  const texts = [
    ...lines.map((line) => requestText(line)),
    requestText("GET /v2/users/zoe", { headers: "Understudy-World: fork-1-1\r\n", isLast: true }),
  ];
  const answers = await overOneConnection(stub.url, [texts.join("")]);
  expect(answers.map(({ status }) => status)).toEqual([404, 200, 404, 404, 200, 200]);
  expect(answers[3]?.body).toContain('There is no world "nowhere"');
  expect(JSON.parse(answers[4]?.body ?? "")).toMatchObject({ id: "fork-1-1" });
});

test.concurrent("requests may come in pieces of any size, with bodies", async () => {
  const { stub, ask } = await twoWorlds();
  const body = JSON.stringify({ user: { id: "zoe", metadata: { annotations: { long: "x".repeat(1000) } } } });
  const text = [
    requestText("POST /w/fork-2-1/v2/users", { body }),
    requestText("GET /w/fork-2-1/v2/users/zoe", { headers: `X-Long: ${"y".repeat(2000)}\r\n`, isLast: true }),
  ].join("");
  const byOne = await overOneConnection(stub.url, text);
  expect(byOne.map(({ status }) => status)).toEqual([200, 200]);
  const headers = "Understudy-World: fork-1-1\r\n";
  const whole = requestText("POST /v2/users", { headers, body, isLast: true });
  const halves = Array.from({ length: 40 }, (_, part) => [whole.slice(0, part * 13), whole.slice(part * 13)]);
  const statuses = await Promise.all(
    halves.map(async (pieces) => (await overOneConnection(stub.url, pieces)).map(({ status }) => status)),
  );
  expect(statuses.flat().sort()).toEqual([200, ...Array.from({ length: 39 }, () => 409)]);
  const { json } = await ask("GET /__understudy/worlds/fork-1-1/journal");
  expect(json.exchanges.map((exchange: { readonly body: string }) => exchange.body)).toEqual(halves.map(() => body));
});

test.concurrent("a body of megabytes passes between workers, a larger one is refused, and so is what is no HTTP", async () => {
  const { stub, ask } = await twoWorlds();
  const large = `{"x":"${"y".repeat(8 * 1024 * 1024 - 8)}"}`;
  const sent = [
    requestText("GET /w/fork-1-1/v2/idps"),
    requestText("POST /w/fork-2-1/v2/users", { body: large }),
    requestText("GET /w/fork-2-1/v2/idps", { isLast: true }),
  ];
  const { json } = await ask("GET /__understudy/worlds/fork-2-1");
  expect((await overOneConnection(stub.url, sent)).map(({ status }) => status)).toEqual([200, 400, 200]);
  expect((await ask("GET /__understudy/worlds/fork-2-1")).json.requests).toBe(json.requests + 2);
  expect(await ask("POST /w/fork-2-1/v2/users", `${large}1`)).toMatchObject({ status: 413 });
  expect(await overOneConnection(stub.url, ["nonsense\r\n\r\n"])).toMatchObject([{ status: 400 }]);
});

test.concurrent("answers that break off on purpose break off in the same way wherever they come from", async () => {
  const plan =
    "[{ on: getV2Idps, nth: 1, instead: { reset: true } }, { on: getV2Idps, nth: 2, after: { truncate: 5 } }]";
  const { stub, ask } = await twoWorlds(planned(plan));
  const broken = async (world: string) => {
    const socket = connect(Number(new URL(stub.url).port), "127.0.0.1");
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += String(chunk);
    });
    const ended = new Promise((resolve) => socket.once("error", resolve).once("close", resolve));
    // The first request leads the connection to the first worker.
    socket.write(`${requestText("GET /v2/users/alice")}${requestText(`GET /w/${world}/v2/idps`)}`);
    const end = await ended;
    return {
      text: text.replaceAll(/^Date: .*$/gm, ""),
      reason: end instanceof Error && "code" in end ? end.code : "closed",
    };
  };
  const [one, other] = [await broken("fork-1-1"), await broken("fork-2-1")];
  expect(one).toEqual({ text: expect.stringContaining('"id":"alice"'), reason: "ECONNRESET" });
  expect(other).toEqual(one);
  const [cut, cutElsewhere] = [await broken("fork-1-1"), await broken("fork-2-1")];
  expect(cut.text).toMatch(/HTTP\/1\.1 200 OK\r\n.*HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\{"ide$/s);
  expect(cutElsewhere).toEqual(cut);
  expect(await ask("GET /w/fork-2-1/v2/idps")).toMatchObject({ status: 200 });
});

test.concurrent("serves https, where no connection can be led by what it says", async () => {
  const folder = temporaryFolder();
  const pems = await generate([{ name: "commonName", value: "localhost" }], { algorithm: "sha256" });
  writeFileSync(join(folder, "cert.pem"), pems.cert);
  writeFileSync(join(folder, "key.pem"), pems.private);
  const stub = await servingProcess([...two, "--tls-cert", "cert.pem", "--tls-key", "key.pem"], { folder });
  const agents = [1, 2, 3].map(() => new Agent({ keepAlive: true, ca: pems.cert }));
  const options = { servername: "localhost", checkServerIdentity: () => undefined, headers: any };
  const ask = (agent: Agent | undefined, method: string, path: string) =>
    new Promise((resolve, reject) => {
      request(`${stub.url}${path}`, { ...options, method, agent })
        .on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode)))
        .on("error", reject)
        .end();
    });
  for (const agent of agents) expect(await ask(agent, "POST", "/__understudy/worlds/default/fork")).toBe(201);
  for (const agent of agents)
    for (const id of ["fork-2-1", "fork-1-1", "fork-2-2"])
      expect(await ask(agent, "GET", `/w/${id}/v2/idps`)).toBe(200);
  stub.child.kill("SIGTERM");
  expect(await once(stub.child, "exit")).toEqual([0, null]);
});

test.concurrent("tells of conduct once, whichever worker saw it, and counts at the end what all saw", async () => {
  const { stub, ask } = await twoWorlds("--world-prefix", "fork");
  for (const id of ["fork-2-1", "fork-1-1", "fork-2-1"]) await ask(`GET /w/${id}/v2/users?pageToken=2`);
  await ask("GET /w/fork-1-1/v2/users?access_token=abc");
  const ended = stub.ended();
  stub.child.kill("SIGINT");
  const { exitCode, out, error } = await ended;
  expect(error.split("\n").filter((line) => line.startsWith("conduct: page-tokens-from-pages"))).toHaveLength(1);
  expect(error.split("\n").filter((line) => line.startsWith("conduct: token-in-header"))).toEqual([
    expect.stringMatching(/\(world fork-1-1\)$/),
  ]);
  expect(out).toContain("FAIL page-tokens-from-pages: GET /v2/users, answered 400 (3 times)\n");
  expect(out).toContain("FAIL token-in-header: GET /v2/users, answered 200\n");
  expect(out).toContain("2 kinds of error, 0 kinds of warning.");
  expect(exitCode).toBe(0);
});

test.concurrent.each(["fork-1-1", "fork-2-1"])(
  "at the end a request in flight gets its answer, and what waits without one does not hold it: %s",
  async (world) => {
    const ready = join(temporaryFolder(), "url");
    const plan = "[{ on: getV2Idps, after: { delay: PT1S } }]";
    const { stub, ask } = await twoWorlds(planned(plan), "--ready-file", ready);
    expect(readFileSync(ready, "utf8")).toBe(`${stub.url}\n`);
    const silent = connect(Number(new URL(stub.url).port), "127.0.0.1").on("error", () => undefined);
    // On this connection the request is passed on by the first worker, or is its own.
    const late = overOneConnection(stub.url, [
      requestText("GET /v2/users/alice"),
      requestText(`GET /w/${world}/v2/idps`),
    ]);
    for (let requests = 0; requests === 0; ) ({ requests } = (await ask(`GET /__understudy/worlds/${world}`)).json);
    stub.child.kill("SIGTERM");
    expect((await late).map(({ status }) => status)).toEqual([200, 200]);
    expect(await once(stub.child, "exit")).toEqual([0, null]);
    expect(existsSync(ready)).toBe(false);
    silent.destroy();
  },
);

test.concurrent("a worker that dies ends the stub, which says which and how", async () => {
  const ready = join(temporaryFolder(), "url");
  const stub = await servingProcess([...two, "--json", "--ready-file", ready]);
  const { workers } = JSON.parse(stub.ready);
  expect(workers).toHaveLength(2);
  const ended = stub.ended();
  process.kill(workers[1], "SIGKILL");
  const { exitCode, error } = await ended;
  expect(error).toBe(
    `Worker 2 (process ${workers[1]}) ended by SIGKILL. The stub has stopped, and its worlds are gone.\n`,
  );
  expect(exitCode).toBe(4);
  expect(existsSync(ready)).toBe(false);
});

test.concurrent("no worker outlives a stub that is killed", async () => {
  const stub = await servingProcess(two);
  const ended = stub.ended();
  stub.child.kill("SIGKILL");
  // Its workers write to the same streams, so these end with the last of them.
  expect((await ended).exitCode).toBeNull();
});

test.concurrent("a signal to all processes of a stub at once is one to the stub: what is in flight ends first", async () => {
  const file = planned("[{ on: getV2Idps, after: { delay: PT1S } }]");
  const stub = await servingProcess([...two, "--json", file]);
  const ended = stub.ended();
  const late = overOneConnection(stub.url, [requestText("GET /v2/idps")]);
  for (let requests = 0; requests === 0; )
    ({ requests } = (await asking(stub)("GET /__understudy/worlds/default")).json);
  for (const pid of [...JSON.parse(stub.ready).workers, stub.child.pid]) process.kill(pid, "SIGINT");
  expect((await late).map(({ status }) => status)).toEqual([200]);
  expect(await ended).toMatchObject({ exitCode: 0, error: "" });
});

test.concurrent("forks may begin with another word, by one process too", async () => {
  const one = await serving(["--world-prefix", "a"]);
  const more = await servingProcess([...two, "--world-prefix", "b"]);
  for (const [stub, id] of [
    [one, "a-1"],
    [more, "b-2-1"],
  ] as const) {
    const ask = asking(stub);
    expect(await ask("POST /__understudy/worlds/default/fork")).toMatchObject({ json: { id, path: `/w/${id}` } });
    expect(await ask(`GET /w/${id}/v2/idps`)).toMatchObject({ status: 200 });
  }
});

test.concurrent("more workers than cores are served, and told of", async () => {
  const cores = availableParallelism();
  const stub = await servingProcess(["--workers", String(cores + 1)]);
  const ended = stub.ended();
  stub.child.kill("SIGTERM");
  expect(await ended).toMatchObject({ exitCode: 0, error: expect.stringContaining(`--workers ${cores} does as much`) });
});

test.concurrent.each<[what: string, words: readonly string[], message: string]>([
  ["no worker", ["--workers", "0"], "--workers 0 is out of range; a stub has from 1 to 64 workers."],
  ["too many workers", ["--workers", "65"], "from 1 to 64 workers"],
  ["workers that are no number", ["--workers", "two"], "from 1 to 64 workers"],
  ["an authorization server", [...two, "--oauth"], "--oauth goes with one worker only: each worker would sign"],
  ["a watch", [...two, "--watch"], "--watch goes with one worker only: the workers would start over"],
  ["a prefix that is no word", ["--world-prefix", "a-b"], "--world-prefix a-b does not fit"],
  ["no scenario", [...two, "nothing.yaml"], "nothing.yaml"],
])("refuses %s", async (_, words, message) => {
  const ran = await understudy(["serve", "--port", "0", ...words]);
  expect([ran.exitCode, ran.error]).toEqual([2, expect.stringContaining(message)]);
});

test.concurrent("says that a port is taken, with several workers too", async () => {
  const { url } = await serving([]);
  const ran = await understudy(["serve", ...two, "--port", new URL(url).port]);
  expect([ran.exitCode, ran.error]).toEqual([2, expect.stringContaining("--port 0 for a free one")]);
});
