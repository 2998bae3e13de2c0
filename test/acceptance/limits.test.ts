import { once } from "node:events";
import { Agent, get, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { CountedLimits } from "../../src/foundation/limits/counted-limits.ts";
import type { LimitName, LimitValues } from "../../src/foundation/limits/limits.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import { hostingOf, scenarioOf } from "../_scenario.ts";
import { connectionTo, listening } from "../_server.ts";
import { overOneConnection } from "./_raw-client.ts";

/** A stub with these limits on a free port, with its report of limits and its world. */
async function limited(values: Partial<LimitValues>) {
  const limits = new CountedLimits(values);
  const hosting = hostingOf(scenarioOf("quickstart"), undefined, { limits });
  const inner = withControl(hosting, loopbackAccess);
  const options = { source: hosting, access: loopbackAccess, page: new Map(), limits, inner };
  const inspection = new Inspection({ ...options, later: (run) => run() });
  const faults: unknown[] = [];
  onTestFinished(() => expect(faults).toEqual([]));
  const onFault = (fault: unknown) => faults.push(fault);
  const { url } = await listening(inspection.handler, { limits, closeGraceMs: 100, onFault });
  const of = (name: LimitName) => limits.report().limits.find((limit) => limit.name === name);
  return {
    url,
    hosting,
    exceeded: (name: LimitName) => of(name)?.exceeded,
    inUse: (name: LimitName) => of(name)?.inUse,
    malformed: () => limits.report().malformed,
    world: () => hosting.worlds.get("default")?.world.state,
  };
}

const end = "Connection: close\r\n\r\n";
const head = (line: string, more = "") => `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer any\r\n${more}`;
const asking = (target: string, more = "") => `${head(`GET ${target}`, more)}${end}`;
const granting = (length: number) =>
  `${head("POST /v2/users/alice/rights", "Content-Type: application/json\r\n")}Content-Length: ${length}\r\n${end}${'{"userId":"alice"}'.padEnd(length)}`;
const inChunks = (length: number) =>
  `${head("POST /v2/users/alice/rights", "Transfer-Encoding: chunked\r\n")}${end}${length.toString(16)}\r\n${'{"userId":"alice"}'.padEnd(length)}\r\n0\r\n\r\n`;
const withTrailers = (count: number) => inChunks(18).replace(/0\r\n\r\n$/, `0\r\n${"X: a\r\n".repeat(count)}\r\n`);
/** A request whose target and headers have this many bytes. */
const withHeadOf = (bytes: number) => {
  const rest = "/v2/users" + "Hosta" + "AuthorizationBearer any" + "Connectionclose" + "X";
  return asking("/v2/users", `X: ${"x".repeat(bytes - rest.length)}\r\n`);
};
const nested = (levels: number) => {
  const body = `{"userId":"alice","rights":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  return `${head("POST /v2/users/alice/rights")}Content-Length: ${body.length}\r\n${end}${body}`;
};

const grantWith = (rights: string) => posting("/v2/users/alice/rights", `{"userId":"alice","rights":${rights}}`);
const executing = (preparedTransaction: string) =>
  posting(
    "/v2/interactive-submission/executeAndWait",
    JSON.stringify({
      preparedTransaction,
      submissionId: "s",
      partySignatures: { signatures: [] },
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
      deduplicationPeriod: { Empty: {} },
    }),
  );
const posting = (target: string, body: string) =>
  `${head(`POST ${target}`)}Content-Length: ${body.length}\r\n${end}${body}`;

/** Limits that a stub counts when it reads a body: such a request is in the journal. */
const bodyLimits = new Set<string>(["nestingMax", "jsonValuesMax", "numberLengthMax", "protobufFieldsMax"]);

const tooLong = "Invalid value for: body ";
const tooManyHeaders = "The request has more headers and trailers than the limit of 20 (--limit headersMax).";
const tooLarge = "The request body is larger than the limit of 2000 bytes (--limit bodyBytesMax).";
const longTarget = "The path with its query is longer than the limit of 300 bytes (--limit targetBytesMax).";
const largeHead =
  "The target and the headers of the request are larger than the limit of 2000 bytes (--limit headBytesMax).";
const fields = (count: number) => executing(Buffer.from("0a00".repeat(count), "hex").toString("base64"));

type Row = readonly [
  LimitName,
  value: number,
  (amount: number) => string,
  within: number,
  beyond: number,
  text: string,
];
const cases: readonly Row[] = [
  ["bodyBytesMax", 2000, granting, 200, 413, tooLarge],
  ["bodyBytesMax", 2000, inChunks, 200, 413, tooLarge],
  ["targetBytesMax", 300, (bytes) => asking("/v2/users?".padEnd(bytes, "x")), 200, 414, longTarget],
  ["headBytesMax", 2000, withHeadOf, 200, 431, largeHead],
  ["headersMax", 20, (count) => asking("/v2/users", "X: a\r\n".repeat(count - 3)), 200, 431, tooManyHeaders],
  ["headersMax", 20, (count) => withTrailers(count - 4), 200, 431, tooManyHeaders],
  ["nestingMax", 50, nested, 400, 400, `${tooLong}(the value is nested deeper than 50 levels (--limit nestingMax))`],
  [
    "jsonValuesMax",
    200,
    (count) => grantWith(`[${"{},".repeat(count - 3)}{}]`),
    400,
    400,
    `${tooLong}(the value has more than 200 members and elements (--limit jsonValuesMax))`,
  ],
  [
    "numberLengthMax",
    50,
    (length) => grantWith(`[${"9".repeat(length)}]`),
    400,
    400,
    `${tooLong}(a number is longer than 50 characters (--limit numberLengthMax))`,
  ],
  [
    "protobufFieldsMax",
    150,
    fields,
    400,
    400,
    `${tooLong}(the messages in the body have more than 150 fields (--limit protobufFieldsMax))`,
  ],
];

test.each(cases)("%s: accepts its limit %d, and refuses one more without a state change", async (...given) => {
  const [name, value, sent, within, beyond, refusal] = given;
  const { url, exceeded, hosting, world } = await limited({ [name]: value });
  const [accepted] = await overOneConnection(url, [sent(value)]);
  expect([accepted?.status, exceeded(name)]).toEqual([within, 0]);
  expect(accepted?.body).not.toContain("-max)");
  const before = world();
  const last = hosting.worlds.get("default")?.journal.last;
  const responses = await overOneConnection(url, [sent(value + 1)]);
  expect(responses.map(({ status, body }) => [status, body])).toEqual([[beyond, refusal]]);
  expect(exceeded(name)).toBe(1);
  expect(world()?.ledger).toBe(before?.ledger);
  if (!bodyLimits.has(name)) expect(hosting.worlds.get("default")?.journal.last).toBe(last);
});

test("refuses a head beyond the read limit, also after pending responses", async () => {
  const { url, exceeded } = await limited({});
  const responses = await overOneConnection(url, [
    `${head("GET /v2/users")}\r\n${head("GET /v2/idps")}\r\n${asking(`/${"x".repeat(20_000)}`)}`,
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 431]);
  expect(exceeded("headBytesMax")).toBe(1);
});

test("refuses a large body while the client is still sending it", async () => {
  const { url, exceeded } = await limited({ bodyBytesMax: 1024 });
  const outgoing = httpRequest(`${url}/v2/users/alice/rights`, { method: "POST", agent: false });
  outgoing.on("error", () => undefined);
  const responded = once(outgoing, "response");
  for (let piece = 0; piece < 200; piece += 1) outgoing.write("x".repeat(10_000));
  const [incoming] = await responded;
  expect(incoming.statusCode).toBe(413);
  expect(await text(incoming)).toContain("--limit bodyBytesMax");
  outgoing.destroy();
  expect(exceeded("bodyBytesMax")).toBe(1);
});

/** The beginning of a request with a body of 40,000 bytes. */
const unfinished = (sent: number) =>
  `${head("POST /v2/users/alice/rights", "Content-Length: 40000\r\n")}${end}${'{"userId":"alice"}'.padEnd(sent)}`;

test("holds the bodies of all connections up to the limit, and refuses more until a connection ends", async () => {
  const { url, exceeded, inUse } = await limited({ bodyBytesMax: 40_000, bufferedBytesMax: 65_536 });
  const [first, second] = [await connectionTo(url), await connectionTo(url)];
  for (const socket of [first, second]) socket.write(unfinished(30_000));
  while (Number(inUse("bufferedBytesMax")) < 60_000) await setImmediate();
  const third = await connectionTo(url);
  third.write(unfinished(30_000));
  const refused = await text(third);
  expect(refused).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n.*^Retry-After: 1\r\n/ms);
  expect(refused).toContain(
    "The requests and responses in progress on all connections have reached the limit of 65536 bytes (--limit bufferedBytesMax).",
  );
  expect(exceeded("bufferedBytesMax")).toBe(1);
  expect((await overOneConnection(url, [granting(2000)])).map(({ status }) => status)).toEqual([200]);
  first.destroy();
  while (Number(inUse("bufferedBytesMax")) > 40_000) await setImmediate();
  const [accepted] = await overOneConnection(url, [unfinished(30_000), " ".repeat(10_000)]);
  expect(accepted?.status).toBe(200);
  second.destroy();
  while (inUse("bufferedBytesMax") !== 0) await setImmediate();
});

test("a body takes the memory of its size, also in chunks of one byte", async () => {
  const { url, inUse } = await limited({});
  const socket = await connectionTo(url);
  const chunks = [...'{"userId":"alice"}'.padEnd(20_000)].map((byte) => `1\r\n${byte}\r\n`).join("");
  socket.write(`${head("POST /v2/users/alice/rights", "Transfer-Encoding: chunked\r\n")}${end}${chunks}`);
  while (Number(inUse("bufferedBytesMax")) < 20_000) await setImmediate();
  expect(inUse("bufferedBytesMax")).toBe(32_768);
  socket.write("0\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  while (inUse("bufferedBytesMax") !== 0) await setImmediate();
});

test("responds to Expect: 100-continue with 100, or with 413 for a large body", async () => {
  const { url } = await limited({ bodyBytesMax: 1024 });
  const expecting = (length: number) =>
    head("POST /v2/users/alice/rights", `Content-Length: ${length}\r\nExpect: 100-continue\r\n${end}`);
  const socket = await connectionTo(url);
  socket.write(expecting(18));
  expect(String((await once(socket, "data"))[0])).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  socket.write('{"userId":"alice"}');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  const [response] = await overOneConnection(url, [expecting(1025)]);
  expect(response?.status).toBe(413);
});

test("responds to a pipelined Expect: 100-continue after the earlier responses", async () => {
  const { url } = await limited({});
  const listing = `${head("GET /__understudy/worlds")}\r\n`;
  const posting = head("POST /v2/users/alice/rights", `Content-Length: 0\r\nExpect: 100-continue\r\n${end}`);
  const requested = `${listing}${listing}${posting}`.replaceAll("Host: a", "Host: localhost");
  const responses = (await overOneConnection(url, [requested])).filter(({ status }) => status !== 100);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 400]);
  expect(responses[2]?.body).toBe("Invalid value for: body (exhausted input)");
});

const lateHead = "The head of the request did not arrive within the limit of 0.1 seconds (--limit headTimeoutMs).";
const lateBody = "The request did not arrive completely within the limit of 2 seconds (--limit requestTimeoutMs).";

test.each([
  ["nothing", "", "headTimeoutMs", lateHead],
  ["half a head", "GET /v2/us", "headTimeoutMs", lateHead],
  ["half a body", `${head("POST /v2/users/alice/rights")}Content-Length: 50\r\n\r\n{`, "requestTimeoutMs", lateBody],
] as const)(
  "ends a connection that has received %s with 408 after its timeout",
  async (_name, bytes, name, refusal) => {
    // The head timeout is short only if it is the tested limit.
    const headTimeoutMs = name === "headTimeoutMs" ? 100 : 2000;
    const { url, exceeded, world } = await limited({ headTimeoutMs, requestTimeoutMs: 2000 });
    const before = world();
    const socket = await connectionTo(url);
    socket.write(bytes);
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(response).toContain(refusal);
    expect([exceeded(name), world()]).toEqual([1, before]);
  },
);

test("does not execute a request whose last bytes arrive right after its timeout", async () => {
  const { url, exceeded, world } = await limited({ headTimeoutMs: 100, requestTimeoutMs: 100 });
  const before = world();
  const socket = await connectionTo(url);
  const content = '{"by":"PT1S"}';
  const fields = `Content-Type: application/json\r\nContent-Length: ${content.length}`;
  socket.write(`${head("POST /__understudy/worlds/default/clock/advance", fields)}\r\n\r\n{`);
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  socket.write(content.slice(1));
  // The timeout passes before the server can read the last bytes, and it finds them in the same turn of the event loop.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect([exceeded("requestTimeoutMs"), world()]).toEqual([1, before]);
});

test("serves a request that arrives in time, however long its operation takes", async () => {
  const { url, exceeded } = await limited({ headTimeoutMs: 120_000, requestTimeoutMs: 120_000 });
  const responses = await overOneConnection(url, [...granting(30)]);
  expect(responses.map(({ status }) => status)).toEqual([200]);
  expect([exceeded("headTimeoutMs"), exceeded("requestTimeoutMs")]).toEqual([0, 0]);
});

test("closes an idle connection after its timeout", async () => {
  const { url } = await limited({ idleTimeoutMs: 1000 });
  const socket = await connectionTo(url);
  socket.write(`${head("GET /v2/version")}\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*Keep-Alive: timeout=1\r\n/s);
});

test("serves connections up to the limit, and refuses one more with the reason until one ends", async () => {
  const { url, exceeded, inUse } = await limited({ connectionsMax: 2 });
  const sockets = [await connectionTo(url), await connectionTo(url)];
  for (const socket of sockets) {
    socket.write(`${head("GET /v2/version")}\r\n`);
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
  }
  const third = await connectionTo(url);
  const refused = await text(third);
  expect(refused).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(refused).toContain("The number of open connections has reached the limit of 2 (--limit connectionsMax).");
  expect(exceeded("connectionsMax")).toBe(1);
  sockets[0]?.end();
  while (Number(inUse("connectionsMax")) > 1) await setImmediate();
  expect((await overOneConnection(url, [asking("/v2/version")])).map(({ status }) => status)).toEqual([200]);
});

test("serves waiting requests of a connection up to the limit; one more closes it after their responses", async () => {
  const { url, exceeded, hosting } = await limited({ requestsWaitingMax: 5 });
  const many = (count: number) => [`${head("GET /v2/version")}\r\n`.repeat(count - 1) + asking("/v2/version")];
  expect((await overOneConnection(url, many(5))).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(exceeded("requestsWaitingMax")).toBe(0);
  const responses = await overOneConnection(url, many(8));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 503]);
  expect(responses.at(-1)?.body).toBe(
    "The number of requests of this connection that wait for a response exceeds the limit of 5 (--limit requestsWaitingMax).",
  );
  expect([exceeded("requestsWaitingMax"), hosting.worlds.get("default")?.journal.last]).toEqual([1, 10]);
});

test("sequential requests of a connection do not count as waiting", async () => {
  const { url, exceeded } = await limited({ requestsWaitingMax: 1 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (let count = 0; count < 20; count += 1) {
    const [response] = await once(get(`${url}/v2/version`, { agent }), "response");
    expect(response.statusCode).toBe(200);
    await text(response);
  }
  expect(exceeded("requestsWaitingMax")).toBe(0);
});

test("creates worlds up to the limit, and refuses one more", async () => {
  const { url, exceeded, inUse } = await limited({ worldsMax: 2 });
  const fork = () => fetch(`${url}/__understudy/worlds/default/fork`, { method: "POST" });
  expect((await fork()).status).toBe(201);
  const refused = await fork();
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { error: "The limit of worlds is reached, 2 (--limit worldsMax). Remove a world, or raise the limit." },
  ]);
  expect([exceeded("worldsMax"), inUse("worldsMax")]).toEqual([1, 2]);
});

test.each([
  ["journalExchangesMax", 2, 100_000, 1],
  ["journalBytesMax", 1000, 1024, 3],
] as const)("%s: counts the exchanges that the journal drops", async (name, exchanges, bytes, dropped) => {
  const { url, exceeded, inUse } = await limited({ journalExchangesMax: exchanges, journalBytesMax: bytes });
  const targets =
    name === "journalBytesMax" ? ["/v2/users", "/v2/users", "/v2/users"] : ["/v2/idps", "/v2/idps", "/v2/idps"];
  for (const target of targets) await overOneConnection(url, [asking(target)]);
  expect(exceeded(name)).toBe(dropped);
  const journal = JSON.parse(await (await fetch(`${url}/__understudy/worlds/default/journal`)).text());
  expect(journal.dropped).toBe(dropped);
  expect(inUse("journalExchangesMax")).toBe(journal.exchanges.length);
});

/** A stub with a limit for this many archives of a world with a name in two bytes a character, and what imports one. */
async function importing(archives: number) {
  const user = JSON.stringify({ user: { id: "zoe", metadata: { annotations: { name: "ü".repeat(1000) } } } });
  const exporting = await limited({});
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  await fetch(`${exporting.url}/v2/users`, {
    method: "POST",
    body: user,
    headers,
  });
  const archive = await (await fetch(`${exporting.url}/__understudy/worlds/default/archive`)).text();
  const bytes = Buffer.byteLength(archive);
  expect(bytes).toBeGreaterThan(archive.length + 999);
  const stub = await limited({ stateBytesMax: archives * bytes });
  const imported = async () => {
    const response = await fetch(`${stub.url}/__understudy/worlds`, { method: "POST", body: archive });
    return { status: response.status, text: await response.text() };
  };
  return { ...stub, bytes, imported };
}

test("refuses imports beyond the size of all archives, until an imported world is removed", async () => {
  const { url, exceeded, inUse, bytes, imported } = await importing(2);
  expect([(await imported()).status, (await imported()).status]).toEqual([201, 201]);
  const refused = await imported();
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining(`${2 * bytes} bytes (--limit stateBytesMax). Remove one of them`),
  ]);
  expect([exceeded("stateBytesMax"), inUse("stateBytesMax")]).toEqual([1, 2 * bytes]);
  expect((await fetch(`${url}/__understudy/worlds/fork-1`, { method: "DELETE" })).status).toBe(200);
  expect((await imported()).status).toBe(201);
});

test("an archive counts once, as long as its world or a fork of it is in memory", async () => {
  const { url, inUse, bytes, imported } = await importing(1);
  await imported();
  const ofWorld = (id: string, method: string, action = "") =>
    fetch(`${url}/__understudy/worlds/${id}${action}`, { method });
  await ofWorld("fork-1", "POST", "/fork");
  await ofWorld("fork-1", "DELETE");
  expect([inUse("stateBytesMax"), (await imported()).status]).toEqual([bytes, 409]);
  await ofWorld("fork-2", "DELETE");
  expect([inUse("stateBytesMax"), (await imported()).status]).toEqual([0, 201]);
});

test("of archives that arrive at once, no more are imported than the limit allows", async () => {
  const { imported } = await importing(2);
  const responses = await Promise.all([1, 2, 3, 4, 5].map(imported));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
});

test("serves event streams up to the limit, refuses one more, and closes one whose client does not read", async () => {
  const { url, hosting, exceeded, inUse } = await limited({ eventStreamsMax: 1, eventBytesMax: 1024 });
  const listener = await connectionTo(url);
  listener.write(`${head("GET /__understudy/events").replace("Host: a", "Host: localhost")}\r\n`);
  await once(listener, "data");
  expect(inUse("eventStreamsMax")).toBe(1);
  const refused = await fetch(`${url}/__understudy/events`);
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { error: "The limit of event streams is reached, 1 (--limit eventStreamsMax). Close some pages of the inspector." },
  ]);
  expect(exceeded("eventStreamsMax")).toBe(1);
  listener.pause();
  for (let count = 0; exceeded("eventBytesMax") === 0; count += 1) {
    hosting.touched("default");
    if (count % 100 === 0) await setImmediate();
  }
  while (inUse("eventStreamsMax") !== 0) await setImmediate();
  expect((await overOneConnection(url, [asking("/v2/version")])).map(({ status }) => status)).toEqual([200]);
});

test("the control API shows every limit with its value, current use and number of refusals", async () => {
  const { url } = await limited({ headersMax: 20 });
  await overOneConnection(url, [asking("/v2/users", "X: a\r\n".repeat(50))]);
  await overOneConnection(url, ["no HTTP\r\n\r\n"]);
  const response: { limits: readonly { name: string }[]; malformed: number } = JSON.parse(
    await (await fetch(`${url}/__understudy/limits`)).text(),
  );
  const named = (name: string) => response.limits.find((limit) => limit.name === name);
  expect(named("headersMax")).toEqual({
    name: "headersMax",
    unit: "",
    value: 20,
    inUse: null,
    exceeded: 1,
  });
  expect(named("worldsMax")).toMatchObject({ value: 10_000, inUse: 1, exceeded: 0 });
  expect(named("connectionsMax")).toMatchObject({ inUse: 1 });
  expect([response.limits.length, response.malformed]).toEqual([24, 1]);
  expect((await fetch(`${url}/__understudy/limits`, { method: "POST" })).status).toBe(405);
});

test.each(["GET /v2/us", "no HTTP\r\n\r\n"])(
  "a client that sends %j after it opens an event stream can disconnect",
  async (rest) => {
    const { url, inUse } = await limited({});
    const listener = await connectionTo(url);
    listener.write(`${head("GET /__understudy/events").replace("Host: a", "Host: localhost")}\r\n${rest}`);
    await once(listener, "data");
    listener.end();
    await once(listener, "close");
    while (inUse("connectionsMax") !== 0) await setImmediate();
    expect(inUse("eventStreamsMax")).toBe(0);
  },
);

const smuggled = "GET /v2/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
const post = (headers: string, rest: string) => `${head("POST /v2/users/alice/rights", headers)}\r\n${rest}`;

test.each([
  ["a length and chunks", post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`), 400],
  ["two lengths", post("Content-Length: 1\r\nContent-Length: 30\r\n", `x${smuggled}`), 400],
  ["a length that is listed twice", post("Content-Length: 1, 1\r\n", `x${smuggled}`), 400],
  ["a length with a sign", post("Content-Length: +1\r\n", `x${smuggled}`), 400],
  ["a length beyond all numbers", post("Content-Length: 99999999999999999999999\r\n", smuggled), 400],
  ["a space before the colon", post("Transfer-Encoding : chunked\r\n", `0\r\n\r\n${smuggled}`), 400],
  ["an encoding on a folded line", post("Transfer-Encoding:\r\n chunked\r\n", `0\r\n\r\n${smuggled}`), 400],
  ["an encoding that is not chunked", post("Transfer-Encoding: xchunked\r\n", `0\r\n\r\n${smuggled}`), 501],
  ["an encoding within chunks", post("Transfer-Encoding: gzip, chunked\r\n", `0\r\n\r\n${smuggled}`), 501],
  ["two encodings", post("Transfer-Encoding: xchunked\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`), 501],
  ["chunks in HTTP/1.0", post("Transfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`).replace("1.1", "1.0"), 400],
  ["a chunk with a negative size", post("Transfer-Encoding: chunked\r\n", `-1\r\n${smuggled}`), 400],
  ["a chunk with a size in another form", post("Transfer-Encoding: chunked\r\n", `0x0\r\n\r\n${smuggled}`), 400],
  ["a chunk that is larger than any", post("Transfer-Encoding: chunked\r\n", `fffffffffffffffff\r\n${smuggled}`), 400],
  [
    "a chunk with an endless extension",
    post("Transfer-Encoding: chunked\r\n", `1;${"a".repeat(20_000)}\r\nx\r\n`),
    413,
  ],
  ["lines without a carriage return", `GET /v2/users HTTP/1.1\nHost: a\n\n${smuggled}`, 400],
  ["a line that ends in a carriage return alone", `GET /v2/users HTTP/1.1\r\nHost: a\rX: b\r\n\r\n${smuggled}`, 400],
  ["two hosts", asking("/v2/users", "Host: b\r\n"), 400],
  ["no host", "GET /v2/users HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["a header without a colon", asking("/v2/users", "X\r\n"), 400],
  ["a NUL in a header", asking("/v2/users", "X: \0\r\n"), 400],
  ["a NUL in the target", asking("/v2/\0"), 400],
  ["an unknown method", "FOO / HTTP/1.1\r\nHost: a\r\n\r\n", 501],
  ["CONNECT", `CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n${smuggled}`, 405],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 501],
  ["a version that is not HTTP/1", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505],
  ["no version", "GET /\r\n\r\n", 505],
  ["an unknown expectation", asking("/v2/users", "Expect: beer\r\n"), 417],
  ["the beginning of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
  ["an upgrade, which is ignored", asking("/v2/users", "Upgrade: websocket\r\nConnection: Upgrade\r\n"), 200],
  ["an absolute URL as target", asking("http://b/v2/users"), 200],
  ["an asterisk as target", `${head("OPTIONS *")}${end}`, 404],
] as const)("%s: sends one response with a text, and serves no smuggled request", async (_name, bytes, status) => {
  const { url, hosting, malformed } = await limited({});
  const responses = await overOneConnection(url, [bytes]);
  expect(responses.map((response) => response.status)).toEqual([status]);
  expect(responses[0]?.body).not.toBe("");
  const targets = hosting.worlds.get("default")?.journal.exchanges.map(({ request }) => request.target);
  expect(targets?.some((target) => target.includes("smuggled"))).toBe(false);
  const isRefusal = status !== 200 && status !== 404;
  expect(malformed()).toBe(isRefusal ? 1 : 0);
});

test("refuses an invalid request after the responses to the valid requests before it", async () => {
  const { url } = await limited({});
  const responses = await overOneConnection(url, [`${head("GET /v2/version")}\r\n`.repeat(3), "no HTTP\r\n\r\n"]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
});

test("ignores bytes after the last request of a connection, and sends the whole response", async () => {
  const { url, hosting, malformed } = await limited({});
  const responses = await overOneConnection(url, [`${asking("/v2/version")}${smuggled}${"x".repeat(100_000)}`]);
  expect(responses.map(({ status }) => status)).toEqual([200]);
  expect([hosting.worlds.get("default")?.journal.last, malformed()]).toEqual([1, 0]);
});

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
const rights = '{"userId":"alice"}';
const granted = (headers: string) => head("POST /v2/users/alice/rights", headers);
const smuggledLength = `Content-Length: ${smuggled.length}\r\n`;

test.each([
  ["a GET", head("GET /v2/idps", upgrade), ""],
  ["a POST with a length", granted(`${upgrade}Content-Length: ${rights.length}\r\n`), rights],
  ["a POST with chunks", granted(`${upgrade}Transfer-Encoding: chunked\r\n`), `12\r\n${rights}\r\n0\r\n\r\n`],
  ["a GET that offers HTTP/2", head("GET /v2/idps", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"), ""],
] as const)("serves %s with an Upgrade and every request behind it, in order", async (_name, begin, body) => {
  const { url, hosting, malformed } = await limited({});
  const upgrading = `${begin}\r\n${body}`;
  const between = `${head("GET /v2/version")}\r\n`;
  const whole = `${between}${upgrading}${between}${upgrading}${upgrading}${asking("/v2/users")}`;
  const middle = between.length + upgrading.length - 3;
  for (const pieces of [[whole], [whole.slice(0, middle), whole.slice(middle)]]) {
    const responses = await overOneConnection(url, pieces);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  }
  const paths = hosting.worlds.get("default")?.journal.exchanges.map(({ request }) => request.target);
  const upgraded = /^\w+ (\S+)/.exec(begin)?.[1] ?? "";
  const expected = ["/v2/version", upgraded, "/v2/version", upgraded, upgraded, "/v2/users"];
  expect([paths, malformed()]).toEqual([[...expected, ...expected], 0]);
});

test.each([
  ["a request with an Upgrade", granted(`${upgrade}${smuggledLength}`)],
  ["a request behind one with an Upgrade", `${head("GET /v2/idps", upgrade)}\r\n${granted(smuggledLength)}`],
] as const)("does not serve the body of %s as a request", async (_name, bytes) => {
  const { url, hosting } = await limited({});
  for (const pieces of [
    [`${bytes}\r\n${smuggled}${asking("/v2/version")}`],
    [`${bytes}\r\n`, smuggled, asking("/v2/version")],
  ]) {
    const responses = await overOneConnection(url, pieces);
    expect(responses.slice(-2).map(({ status }) => status)).toEqual([400, 200]);
  }
  const targets = hosting.worlds.get("default")?.journal.exchanges.map(({ request }) => request.target);
  expect(targets?.some((target) => target.includes("smuggled"))).toBe(false);
});

test("a client that disconnects after an Upgrade leaves no connection", async () => {
  const { url, inUse } = await limited({});
  for (const bytes of [`${head("GET /v2/idps", upgrade)}\r\n`, `${head("GET /v2/idps", upgrade)}\r\nno HTTP\r\n\r\n`]) {
    const socket = await connectionTo(url);
    socket.write(bytes);
    await once(socket, "data");
    socket.resetAndDestroy();
    while (inUse("connectionsMax") !== 0) await setImmediate();
  }
});
