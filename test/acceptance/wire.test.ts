import { once } from "node:events";
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { connect as connectSecurely } from "node:tls";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { FailedResponse } from "../../src/foundation/http/failed-response.ts";
import { type Response, textResponse, withHeaders } from "../../src/foundation/http/response.ts";
import { CountedLimits } from "../../src/foundation/limits/counted-limits.ts";
import type { LimitName } from "../../src/foundation/limits/limits.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { sendOverHttp } from "../../src/transport/client/send-over-http.ts";
import type { ServerOptions } from "../../src/transport/server/http-server.ts";
import { hostingOf, scenarioOf } from "../_scenario.ts";
import { connectionTo, listening } from "../_server.ts";

const bodyBytesMax = 100_000;
const path = "/v2/users/alice/rights";

type Graces = Pick<ServerOptions, "closeGraceMs" | "idleGraceMs">;

/** A stub on a free port, with the internal errors that it reported. */
async function serve(profile: "spec" | "canton-3.5" = "canton-3.5", graces: Graces = { closeGraceMs: 100 }) {
  const hosting = hostingOf(scenarioOf("quickstart"), profile);
  const faults: unknown[] = [];
  const server = await listening(withControl(hosting, loopbackAccess), {
    renderRefusal: hosting.renderRefusal,
    limits: new CountedLimits({ bodyBytesMax }),
    ...graces,
    onFault: (fault) => faults.push(fault),
  });
  return { url: server.url, server, hosting, faults };
}

function stateOf(hosting: Hosting) {
  return hosting.worlds.get("default")?.world.state.ledger;
}

interface HandlerResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

/** Node's client sends what fetch refuses: unusual methods and targets, repeated headers. */
async function ask(
  url: string,
  target: string,
  requested: {
    readonly method?: string;
    readonly headers?: OutgoingHttpHeaders;
    readonly body?: string | Uint8Array;
  } = {},
): Promise<HandlerResponse> {
  const { method = "GET", headers = { Authorization: "Bearer any" }, body } = requested;
  const outgoing = httpRequest(url, { path: target, method, headers, agent: false });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  return { status: incoming.statusCode, type: incoming.headers["content-type"], text: await text(incoming) };
}

test.each([
  ["text that is not JSON", "x", 400],
  ["an object that does not end", '{"userId":', 400],
  ["nesting without end", "[".repeat(90_000), 400],
  ["nesting within a list", `{"userId":"alice","rights":${"[".repeat(5000)}${"]".repeat(5000)}}`, 400],
  ["bytes that are not UTF-8", new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 400],
  ["a NUL", "\u0000", 400],
  ["a body above the limit", "x".repeat(bodyBytesMax + 1), 413],
  ["an array", "[]", 400],
  ["a number", "12345678901234567890", 400],
  ["an id that is a number", '{"userId":12345678901234567890}', 400],
  ["a null where a list belongs", '{"userId":"alice","rights":null}', 400],
])("refuses %s, changes nothing and keeps running", async (_name, body, status) => {
  for (const profile of ["spec", "canton-3.5"] as const) {
    const { url, hosting, faults } = await serve(profile);
    const before = stateOf(hosting);
    const response = await ask(url, path, { method: "POST", body });
    expect(response.status).toBe(status);
    const isJson = status === 413 && profile === "spec";
    expect(response.type).toBe(isJson ? "application/json" : "text/plain; charset=UTF-8");
    expect(stateOf(hosting)).toBe(before);
    expect(faults).toEqual([]);
    expect((await ask(url, "/v2/idps")).status).toBe(200);
  }
});

const lookupPath = "/registry/transfer-instruction/v2/transfer-factory";
const tooLarge = `The request body is larger than the limit of ${bodyBytesMax} bytes (--limit bodyBytesMax).`;
const inWorld = { "Understudy-World": "none", Authorization: "Bearer any" };
const ledgerRefusal = JSON.stringify({ code: "INVALID_ARGUMENT", cause: tooLarge, context: {}, errorCategory: 8 });
const registryRefusal = JSON.stringify({ error: tooLarge });

test.each([
  ["to the ledger", path, {}, 413, "application/json", ledgerRefusal],
  ["to the ledger of a named world", path, inWorld, 413, "application/json", ledgerRefusal],
  ["to the ledger under the path of a world", `/w/default${path}?a=b`, {}, 413, "application/json", ledgerRefusal],
  ["to the registry", lookupPath, {}, 400, "application/json", registryRefusal],
  ["to an unknown path", "/v2/none", {}, 413, "text/plain; charset=UTF-8", tooLarge],
  ["to the control API", "/__understudy/worlds", {}, 413, "text/plain; charset=UTF-8", tooLarge],
])(
  "refuses a body above the limit %s like an error of the spec, in profile spec only",
  async (_name, target, headers, status, type, text) => {
    const sent = { method: "POST", headers, body: "x".repeat(bodyBytesMax + 1) };
    expect(await ask((await serve("spec")).url, target, sent)).toEqual({ status, type, text });
    const plain = { status: 413, type: "text/plain; charset=UTF-8", text: tooLarge };
    expect(await ask((await serve()).url, target, sent)).toEqual(plain);
  },
);

test.each([
  ["/v2/users/%/rights", 400],
  ["/v2/users/%zz/rights", 400],
  ["/v2/users/%00/rights", 400],
  ["/v2/users/%2e%2e/rights", 400],
  ["/v2/users/__proto__/rights", 400],
  ["/v2//users///alice/rights", 200],
  ["/../v2/users", 404],
  ["/v2/parties/participant-id?pageSize=1&pageSize=2", 405],
])("responds to POST %s with %d and keeps running", async (target, status) => {
  const { url, faults } = await serve();
  expect((await ask(url, target, { method: "POST", body: '{"userId":"alice"}' })).status).toBe(status);
  expect(faults).toEqual([]);
});

test.each([
  ["two bearer tokens", ["Bearer a", "Bearer b"], 400],
  ["an empty bearer token", ["Bearer "], 400],
  ["another scheme", ["Basic YTpi"], 401],
  ["no token", [], 401],
])("responds to a request with %s like a node", async (_name, tokens, status) => {
  const { url } = await serve();
  const socket = await connectionTo(url);
  const lines = tokens.map((token) => `Authorization: ${token}\r\n`).join("");
  socket.end(`GET /v2/users HTTP/1.1\r\nHost: a\r\n${lines}Connection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test.each([
  ["half a request line", "GET /v2/us"],
  ["bytes that are not HTTP", "\u0016\u0003\u0001\u0002\u0000\r\n\r\n"],
  ["a header without end", `GET / HTTP/1.1\r\nX: ${"a".repeat(40_000)}`],
  [
    "a length above the sent bytes",
    "POST /v2/users/alice/rights HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{}",
  ],
  ["two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"],
])("keeps running when a client sends %s", async (_name, bytes) => {
  const { url, hosting, faults } = await serve();
  const before = stateOf(hosting);
  const socket = await connectionTo(url);
  socket.resume();
  socket.end(bytes);
  await once(socket, "close");
  expect((await ask(url, "/v2/idps")).status).toBe(200);
  expect(faults).toEqual([]);
  expect(stateOf(hosting)).toBe(before);
});

test.each(["GET", "HEAD"])("responds to %s with the length of the body", async (method) => {
  const { url } = await serve();
  const response = await fetch(`${url}/v2/idps`, { method, headers: { Authorization: "Bearer any" } });
  expect(Number(response.headers.get("content-length"))).toBeGreaterThan(2);
  expect((await response.text()).length > 0).toBe(method === "GET");
});

test("refuses a request that does not accept JSON, without a body, like a node", async () => {
  const { url } = await serve();
  const headers = { Authorization: "Bearer any", Accept: "image/png" };
  expect(await ask(url, "/v2/idps", { headers })).toMatchObject({ status: 406, text: "" });
  for (const accept of ["*/*", "application/*", "text/html, application/json;q=0.1", "application/json; charset=utf-8"])
    expect((await ask(url, "/v2/idps", { headers: { ...headers, Accept: accept } })).status).toBe(200);
});

test("serves two hundred clients at once, one step at a time", async () => {
  const { url, hosting } = await serve();
  const grant = (index: number) =>
    ask(url, path, {
      method: "POST",
      body: JSON.stringify({
        userId: "alice",
        rights: [{ kind: { CanReadAs: { value: { party: `p${index % 100}::1220ab` } } } }],
      }),
    });
  const responses = await Promise.all(Array.from({ length: 200 }, (_, index) => grant(index)));
  const granted = responses.map(({ text }) => JSON.parse(text).newlyGrantedRights.length);
  expect(granted.filter((count) => count === 1)).toHaveLength(100);
  expect(stateOf(hosting)?.users.get("alice")?.rights.size).toBe(101);
});

test("finishes requests in flight before it stops", async () => {
  const { url, server } = await serve("canton-3.5", { closeGraceMs: 120_000 });
  const outgoing = httpRequest(url, { path, method: "POST", headers: { Authorization: "Bearer any" }, agent: false });
  outgoing.write('{"userId":');
  await once(outgoing, "socket");
  const accepted = once(outgoing, "response");
  await ask(url, "/v2/idps");
  const closed = server.close();
  outgoing.end('"alice"}');
  const [incoming] = await accepted;
  incoming.resume();
  expect(incoming.statusCode).toBe(200);
  await closed;
});

test("serves a request that arrived before the idle timeout, even if the process reads it later", async () => {
  const { url, server } = await serve("canton-3.5", { closeGraceMs: 120_000, idleGraceMs: 1 });
  const socket = await connectionTo(url);
  socket.write("GET /v2/idps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer any\r\n\r\n");
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const closed = server.close();
  socket.write("GET /v2/users HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer any\r\n\r\n");
  // Simulates a busy machine: blocks the process until the idle timeout is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  expect(await text(socket)).toMatch(/HTTP\/1\.1 200 OK\r\n/);
  await closed;
});

test("accepts a connection that a client made before the server stops, and serves its request", async () => {
  const { server, url } = await serve("canton-3.5", { closeGraceMs: 120_000, idleGraceMs: 100 });
  const asked = ask(url, "/v2/idps");
  // Node connects in the next turn; the system completes the connection without the server.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const closed = server.close();
  expect((await asked).status).toBe(200);
  await closed;
});

test.each([
  ["nothing", ""],
  ["half a header", "GET /v2/idps HT"],
  ["half a body", "POST /v2/users/alice/rights HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{"],
])("stops while a client has sent %s and waits", async (_name, bytes) => {
  const { url, server } = await serve();
  const socket = await connectionTo(url);
  socket.resume();
  socket.write(bytes);
  await ask(url, "/v2/idps");
  const ended = once(socket, "close");
  await server.close();
  await ended;
});

test("pipelined requests take effect in order, even if the body of one arrives late", async () => {
  const { url, hosting } = await serve();
  const socket = await connectionTo(url);
  const head = "Host: a\r\nAuthorization: Bearer any\r\n";
  const body = '{"userId":"alice","rights":[{"kind":{"ParticipantAdmin":{"value":{}}}}]}';
  const granting = `POST ${path} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const asking = `GET /v2/users HTTP/1.1\r\n${head}Connection: close\r\n\r\n`;
  socket.write(`GET /v2/idps HTTP/1.1\r\n${head}\r\n${granting}${asking}`);
  const responses = await text(socket);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 200"]);
  const targets = hosting.worlds.get("default")?.journal.exchanges.map(({ request }) => request.target);
  expect(targets).toEqual(["/v2/idps", path, "/v2/users"]);
});

test("pipelined requests take effect in order, even if the first response is delayed", async () => {
  const responded = Promise.withResolvers<Response>();
  const requested: string[] = [];
  const server = await listening(({ target }) => {
    requested.push(target);
    return target === "/first" ? responded.promise : textResponse(200, undefined, target);
  });
  const socket = await connectionTo(server.url);
  socket.write("GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  await ask(server.url, "/elsewhere");
  expect(requested).toEqual(["/first", "/elsewhere"]);
  responded.resolve(textResponse(200, undefined, "/first"));
  expect((await text(socket)).match(/\/(?:first|second)/g)).toEqual(["/first", "/second"]);
  expect(requested).toEqual(["/first", "/elsewhere", "/second"]);
});

/** A server whose handler records the targets of its requests and responds with the same body to each. */
async function responding(body: string, more: Partial<ServerOptions> = {}) {
  const requested: string[] = [];
  const limits = new CountedLimits({ responseTimeoutMs: 120_000, ...more.limits?.values });
  const handler: ServerOptions["handler"] = ({ target }) => {
    requested.push(target);
    return textResponse(200, undefined, body);
  };
  const server = await listening(handler, { ...more, limits });
  const open = () => connectionTo(server.url);
  const reported = (name: LimitName) => limits.report().limits.find((limit) => limit.name === name);
  return { server, requested, open, reported };
}

const short = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
const lastOne = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
/** More than the buffers of two sockets hold. */
const large = "x".repeat(32_000_000);

test("a client that does not read gets no further responses until it reads", async () => {
  const { server, requested, open, reported } = await responding(large);
  const socket = await open();
  socket.pause();
  socket.write(`${short("/unread").repeat(4)}${lastOne}`);
  while (requested.length === 0) await setImmediate();
  for (let count = 0; count < 10; count += 1) {
    const other = await ask(server.url, "/other", { method: "HEAD" });
    expect(other.status).toBe(200);
  }
  expect(requested.filter((target) => target !== "/other")).toEqual(["/unread"]);
  expect(reported("bufferedBytesMax")?.inUse).toBeGreaterThan(large.length);
  let bytes = 0;
  for await (const chunk of socket) bytes += chunk.length;
  expect(bytes).toBeGreaterThan(5 * large.length);
  expect(requested.at(-1)).toBe("/last");
  while (reported("bufferedBytesMax")?.inUse !== 0) await setImmediate();
});

test("ends a connection whose client does not read its response in time", async () => {
  const { open, reported } = await responding(large, { limits: new CountedLimits({ responseTimeoutMs: 100 }) });
  const socket = await open();
  socket.pause();
  socket.write(`${short("/unread")}${short("/second")}`);
  while (reported("responseTimeoutMs")?.exceeded !== 1) await setImmediate();
  while (reported("connectionsMax")?.inUse !== 0) await setImmediate();
  expect(reported("bufferedBytesMax")?.inUse).toBe(0);
});

test("refuses requests while unread responses exceed the limit of all connections", async () => {
  const limits = new CountedLimits({ bodyBytesMax: 1024, bufferedBytesMax: 100_000, responseTimeoutMs: 120_000 });
  const { server, requested, open, reported } = await responding(large, { limits });
  const socket = await open();
  socket.pause();
  socket.write(short("/unread"));
  while (Number(reported("bufferedBytesMax")?.inUse) === 0) await setImmediate();
  const refused = await ask(server.url, "/refused");
  expect([refused.status, requested, reported("bufferedBytesMax")?.exceeded]).toEqual([503, ["/unread"], 1]);
  socket.destroy();
  while (reported("bufferedBytesMax")?.inUse !== 0) await setImmediate();
  expect((await ask(server.url, "/served", { method: "HEAD" })).status).toBe(200);
});

test.each([
  ["without", short("/eager")],
  ["with", "POST /eager HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"],
])("a client that sends many requests at once does not delay the request of another, %s bodies", async (_name, one) => {
  const { requested, open } = await responding("ok");
  const [eager, other] = [await open(), await open()];
  eager.write(one.repeat(900));
  other.write(lastOne);
  await text(other);
  expect(requested.indexOf("/last")).toBeLessThan(450);
  eager.write(lastOne);
  expect((await text(eager)).match(/HTTP\/1\.1 200/g)).toHaveLength(901);
});

/** A handler that opens an event stream with one event. */
const eventStream: ServerOptions["handler"] = () => ({
  type: "events",
  headers: [],
  open: ({ send }) => {
    send("data: 1\n\n");
    return () => undefined;
  },
});

const upgrading = (target: string) =>
  short(target).replace("\r\n\r\n", "\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n");

test.each([
  ["many requests", short("/").repeat(900), 900],
  ["many requests and one with Upgrade", `${short("/").repeat(30)}${upgrading("/")}${short("/").repeat(2)}`, 33],
  ["requests that have Upgrade", `${short("/")}${upgrading("/").repeat(40)}`, 41],
  ["a request whose response is delayed", `${short("/")}${short("/later")}${short("/")}`, 3],
])("responds to a client that sends %s and ends its side", async (_name, bytes, count) => {
  const { open } = await responding("ok", {
    handler: ({ target }) => {
      const response = textResponse(200, undefined, "ok");
      return target === "/later" ? ask(other.url, "/").then(() => response) : response;
    },
  });
  const { server: other } = await responding("ok");
  const socket = await open();
  socket.end(bytes);
  expect((await text(socket)).match(/HTTP\/1\.1 200/g)).toHaveLength(count);
});

test.each([
  ["opens an event stream", eventStream],
  ["never gets a response", () => new Promise<Response>(() => undefined)],
] as const)("ends the connection of a client that ends its side and %s", async (_name, handler) => {
  const { open } = await responding("ok", { handler });
  const socket = await open();
  socket.end(short("/"));
  await once(socket.resume(), "close");
});

test("serves no request behind an event stream, and notices when its client disconnects", async () => {
  const requested: string[] = [];
  const { open, reported } = await responding("ok", {
    handler: (request) => {
      requested.push(request.target);
      return eventStream(request);
    },
  });
  const socket = await open();
  socket.write(`${short("/events")}${short("/behind").repeat(100)}`);
  await once(socket, "data");
  socket.write(short("/behind").repeat(100));
  expect(requested).toEqual(["/events"]);
  socket.destroy();
  while (reported("connectionsMax")?.inUse !== 0) await setImmediate();
});

test.each([
  ["reads no response", short("/").repeat(900), undefined],
  ["opens an event stream", short("/"), eventStream],
  ["opens an event stream and sends more", short("/").repeat(900), eventStream],
  ["waits for a response", short("/").repeat(20), () => new Promise<Response>(() => undefined)],
  [
    "waits for a response before an upgrade",
    `${short("/")}${upgrading("/")}`,
    () => new Promise<Response>(() => undefined),
  ],
  ["has sent half a head", "GET / HT", undefined],
  ["has sent half a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx", undefined],
  ["sends no HTTP", "no HTTP\r\n\r\n", undefined],
] as const)("ends after its grace periods while a client %s", async (_name, bytes, handler) => {
  const given = handler === undefined ? {} : { handler };
  const { server, open, reported } = await responding(large, { closeGraceMs: 100, idleGraceMs: 10, ...given });
  const socket = await open();
  socket.pause();
  socket.write(bytes);
  while (reported("connectionsMax")?.inUse !== 1) await setImmediate();
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  await server.close();
  // The last socket reports its end after the server.
  while (reported("connectionsMax")?.inUse !== 0) await setImmediate();
});

test("ends after its grace period while a client has not finished its TLS handshake", async () => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { algorithm: "sha256" });
  const limits = new CountedLimits({ headTimeoutMs: 120_000 });
  const { server, open } = await responding("ok", { tls: { cert, key }, closeGraceMs: 10, limits });
  const closed = once(await open(), "close");
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  await server.close();
  await closed;
});

test.each([
  ["before the response", {}],
  ["within the body", { partial: { status: 200, headers: [], body: new Body("abc"), bodyLength: 10 } }],
])("resets a connection with TLS %s", async (_name, broken) => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { algorithm: "sha256" });
  const faults: unknown[] = [];
  const { server } = await responding("", {
    tls: { cert, key },
    onFault: (fault) => faults.push(fault),
    handler: () => ({ type: "broken", kind: "reset", transmission: { isReset: true }, ...broken }),
  });
  const port = Number(new URL(server.url).port);
  const client = connectSecurely({ port, host: "127.0.0.1", rejectUnauthorized: false });
  const received: Buffer[] = [];
  client.on("error", () => undefined).on("data", (chunk) => received.push(chunk));
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(client, "close");
  expect([faults, Buffer.concat(received).toString().split("\r\n\r\n")[1]]).toEqual([
    [],
    "partial" in broken ? "abc" : undefined,
  ]);
});

test("keeps worlds apart, by path and by header", async () => {
  const { url, hosting } = await serve();
  const id = hosting.fork("default");
  await ask(url, `/w/${id}${path}`, {
    method: "POST",
    body: '{"userId":"alice","rights":[{"kind":{"ParticipantAdmin":{"value":{}}}}]}',
  });
  const headers = { Authorization: "Bearer any", "Understudy-World": id };
  expect((await ask(url, "/v2/users", { headers })).status).toBe(200);
  const rights = (world: string) => hosting.worlds.get(world)?.world.state.ledger.users.get("alice")?.rights.size;
  expect([rights("default"), rights(id ?? "")]).toEqual([1, 2]);
  expect((await ask(url, "/w/none/v2/users")).status).toBe(404);
});

test("treats members with names of the prototype as data", async () => {
  const { url, hosting, faults } = await serve();
  const before = stateOf(hosting);
  const body =
    '{"__proto__":{"userId":"alice"},"constructor":1,"toString":2,"rights":[{"kind":{"__proto__":{"value":{}}}}]}';
  expect((await ask(url, path, { method: "POST", body })).status).toBe(400);
  expect(stateOf(hosting)).toBe(before);
  expect(faults).toEqual([]);
});

test("lists the methods of a registry path, and accepts an absolute URL as target", async () => {
  const { url } = await serve();
  const lookup = await fetch(`${url}/registry/transfer-instruction/v2/transfer-factory`);
  expect([lookup.status, lookup.headers.get("allow")]).toEqual([405, "POST"]);
  expect((await ask(url, "http://somewhere/v2/idps")).status).toBe(200);
});

test.each([
  ["a body that is too large", "POST /v2/users HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n", 413],
  ["a malformed request", "GET /v2/users HTTP/1.1\r\nHost a\r\n\r\n", 400],
  ["an internal error", "GET /fault HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 500],
])("with CORS, pages of other origins can read the response to %s", async (_name, requested, status) => {
  const { open } = await responding("ok", {
    handler: () => {
      throw new Error("fault");
    },
    limits: new CountedLimits({ bodyBytesMax }),
    isCorsAllowed: true,
  });
  const socket = await open();
  socket.write(requested);
  const received = await text(socket);
  expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(received).toContain("Access-Control-Allow-Origin: *\r\n");
});

test("a refusal has the headers of its rendering", async () => {
  const { open } = await responding("ok", {
    limits: new CountedLimits({ bodyBytesMax }),
    renderRefusal: ({ status, reason }) =>
      withHeaders(textResponse(status, "application/json", JSON.stringify(reason)), [
        ["Understudy-Reason", "too large"],
      ]),
  });
  const socket = await open();
  socket.write("POST /v2/users HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n");
  const received = await text(socket);
  expect(received).toMatch(/^Content-Type: application\/json\r$/m);
  expect(received).toMatch(/^Understudy-Reason: too large\r$/m);
});

test("an absolute target addresses worlds and the control API like its path", async () => {
  const { url, hosting } = await serve();
  const fork = hosting.fork("default") ?? "";
  for (const target of [`/w/${fork}/v2/idps`, `/__understudy/worlds/${fork}`])
    expect((await ask(url, `${url}${target}`)).status).toBe(200);
  expect(hosting.worlds.get(fork)?.journal.last).toBe(1);
  expect(hosting.worlds.get("default")?.journal.last).toBe(0);
});

test("responds to an internal error with 500, and reports it to the caller of serve", async () => {
  const faults: unknown[] = [];
  const handler = () => Promise.reject(new Error("a secret"));
  const server = await listening(handler, { onFault: (fault) => faults.push(fault) });
  const response = await ask(server.url, "/v2/idps");
  expect([response.status, response.type]).toEqual([500, "text/plain; charset=UTF-8"]);
  expect(response.text).not.toContain("secret");
  expect(faults).toEqual([new Error("a secret")]);
});

test("keeps each exchange in the journal of its world", async () => {
  const { url, hosting } = await serve();
  const id = hosting.fork("default") ?? "";
  await ask(url, `/w/${id}/v2/idps?a=1`);
  await ask(url, "/v2/users");
  const targets = (world: string) => hosting.worlds.get(world)?.journal.exchanges.map(({ request }) => request.target);
  expect([targets("default"), targets(id)]).toEqual([["/v2/users"], ["/v2/idps?a=1"]]);
  expect([hosting.remove("default"), hosting.remove(id), hosting.remove(id)]).toEqual([false, true, false]);
});

test("the HTTP client returns a redirection unchanged, and reports where a response was truncated", async () => {
  const responses: (Response | FailedResponse)[] = [
    withHeaders(textResponse(302, undefined, ""), [["Location", "/v2/idps"]]),
    { type: "broken", kind: "reset" },
    { type: "broken", kind: "truncated", partial: { status: 200, headers: [], body: new Body("a"), bodyLength: 9 } },
  ];
  const server = await listening(async () => responses.shift() ?? textResponse(500, undefined, ""));
  const send = () => sendOverHttp(`${server.url}/`)({ method: "GET", target: "/a", headers: [], body: emptyBody });
  expect(await send()).toMatchObject({ type: "response", status: 302 });
  expect(await send()).toMatchObject({ type: "broken", kind: "reset" });
  expect(await send()).toMatchObject({ type: "broken", kind: "truncated" });
});
