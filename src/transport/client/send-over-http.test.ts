import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { Body, emptyBody } from "../../foundation/http/body.ts";
import { type ClientLimits, sendOverHttp, Unreachable } from "./send-over-http.ts";

/** Limits that only a hanging target exceeds. */
const limits: ClientLimits = { timeoutMs: 120_000, responseBytesMax: 1000 };

/** A server on a free port that calls `received` for each received head. */
async function served(received: (socket: Socket, head: string) => void): Promise<{ url: string; server: Server }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (head) => received(socket, String(head)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server };
}

const get = { method: "GET", target: "/v2/users", headers: [], body: emptyBody } as const;

async function responseTo(received: (socket: Socket) => void, more: ClientLimits = limits) {
  const { url } = await served(received);
  const client = sendOverHttp(url, more);
  onTestFinished(() => client.close());
  return client(get);
}

const ok = (length: number | string) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;

function drip(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  const next = () => socket.write("1\r\na\r\n", () => !socket.destroyed && setImmediate(next));
  next();
}

test.each<[string, (socket: Socket) => void, object]>([
  ["resets", (socket) => socket.resetAndDestroy(), { kind: "reset", reason: /closed before/ }],
  ["closes without a response", (socket) => socket.end(), { kind: "reset", reason: /closed before/ }],
  ["closes within the head", (socket) => socket.end("HTTP/1.1 200 OK\r\nA"), { kind: "reset" }],
  [
    "sends half a body",
    (socket) => socket.end(`${ok(9)}{"a"`),
    { kind: "truncated", reason: /after 4 of 9 bytes/, partial: { status: 200, bodyLength: 9 } },
  ],
  [
    "breaks off between chunks",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
    { kind: "truncated", reason: /after 2 bytes/ },
  ],
  [
    "sends an invalid chunk",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    { kind: "truncated", reason: /not HTTP/ },
  ],
  [
    "sends more than the limit",
    (socket) => socket.write(ok(1001) + "a".repeat(1001)),
    { kind: "too-large", reason: /1000/ },
  ],
  ["sends chunks without end", drip, { kind: "too-large" }],
  [
    "sends a head without end",
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nA: ${"a".repeat(100_000)}`),
    { kind: "too-large", reason: /head/ },
  ],
])("a target that %s gives a broken response with the reason", async (_name, received, broken) => {
  const { reason = /./, ...rest } = broken as { reason?: string | RegExp };
  const came = await responseTo(received);
  expect(came).toMatchObject({ type: "broken", ...rest });
  expect(came.type === "broken" && came.reason).toMatch(reason);
});

/** The result of a client that times out after the request, and after the response head if there is one. */
async function responseInTime(received: (socket: Socket) => void, hasHead: boolean) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const [requested, headCame] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const came = () => headCame.resolve();
  subscribe("http.client.response.finish", came);
  onTestFinished(() => void unsubscribe("http.client.response.finish", came));
  const settled = responseTo(
    (socket) => {
      received(socket);
      requested.resolve();
    },
    { timeoutMs: 50, responseBytesMax: 1e12 },
  );
  await (hasHead ? headCame : requested).promise;
  // Data that arrived with the head is read in the same turn.
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(49);
  expect(await Promise.race([settled, "it waits"])).toBe("it waits");
  vi.advanceTimersByTime(1);
  return settled;
}

test.each<[string, (socket: Socket) => void]>([
  ["says nothing", () => undefined],
  ["hangs in the head", (socket) => socket.write("HTTP/1.1 200 OK\r\nA: ")],
  ["sends interim responses only", (socket) => socket.write("HTTP/1.1 102 Processing\r\n\r\n")],
])("a target that %s gives a timeout", async (_name, received) => {
  const broken = { type: "broken", kind: "timed-out", reason: "nothing received within 0.05 s" };
  expect(await responseInTime(received, false)).toEqual(broken);
});

test.each<[string, (socket: Socket) => void, string]>([
  ["hangs in the body", (socket) => socket.write(`${ok(9)}{"a"`), "4"],
  ["never closes", (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n{}"), "2"],
  ["drips", drip, String.raw`\d+`],
])("a response that %s gives a timeout", async (_name, received, bytes) => {
  expect(await responseInTime(received, true)).toEqual({
    type: "broken",
    kind: "timed-out",
    reason: expect.stringMatching(`^the response did not end within 0.05 s; ${bytes} bytes of its body arrived$`),
  });
});

test.each<[string, string | Uint8Array, object]>([
  [
    "invalid UTF-8",
    Buffer.concat([Buffer.from(ok(2)), new Uint8Array([0xff, 0xfe])]),
    { body: new Body(new Uint8Array([0xff, 0xfe])) },
  ],
  ["a page of a gateway", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\n<html>", { status: 502 }],
  ["a redirection", "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", { status: 302 }],
  ["early hints first", `HTTP/1.1 103 Early Hints\r\n\r\n${ok(2)}{}`, { status: 200 }],
  [
    "another protocol",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    { status: 101 },
  ],
  [
    "headers twice",
    "HTTP/1.1 200 OK\r\nX-a: 1\r\nx-A: 2\r\nContent-Length: 0\r\n\r\n",
    {
      headers: [
        ["X-a", "1"],
        ["x-A", "2"],
        ["Content-Length", "0"],
      ],
    },
  ],
  ["a length that is too small", `${ok(1)}{}`, {}],
])("%s is returned unchanged", async (_name, bytes, response) => {
  const came = await responseTo((socket) => socket.end(bytes));
  if (Object.keys(response).length > 0) expect(came).toMatchObject({ type: "response", ...response });
  else expect(came.type).toMatch(/response|broken/);
});

test("a target that is not HTTP is unreachable; after an HTTP response it gives a broken response", async () => {
  const { url } = await served((socket, head) =>
    socket.end(head.includes("/fine") ? `${ok(2)}{}` : "220 mail ready\r\n"),
  );
  const client = sendOverHttp(url, limits);
  onTestFinished(() => client.close());
  await expect(client(get)).rejects.toMatchObject({ name: "Unreachable", reason: "it does not speak HTTP" });
  expect(await client({ ...get, target: "/fine" })).toMatchObject({ status: 200 });
  expect(await client(get)).toMatchObject({ kind: "reset", reason: expect.stringContaining("not HTTP") });
});

test("a port without a listener is unreachable", async () => {
  const { url, server } = await served(() => undefined);
  server.close();
  await once(server, "close");
  await expect(sendOverHttp(url)(get)).rejects.toBeInstanceOf(Unreachable);
  await expect(sendOverHttp(url)(get)).rejects.toMatchObject({ reason: "ECONNREFUSED" });
});

test("sends exactly the given headers, and adds Host and Content-Length if missing", async () => {
  const heads: string[] = [];
  const { url } = await served((socket, head) => {
    heads.push(head.replace(/127\.0\.0\.1:\d+/, "HOST"));
    socket.write(`${ok(2)}{}`);
  });
  const client = sendOverHttp(`${url}/base/`, limits);
  onTestFinished(() => client.close());
  const headers = [
    ["b", "1"],
    ["A", "2"],
    ["b", "3"],
  ] as const;
  await client({ method: "POST", target: "/x?q=ä b", headers, body: new Body("{}") });
  await client({ ...get, headers: [["Host", "other"]] });
  await client({ ...get, method: "DELETE" });
  expect(heads).toEqual([
    "POST /base/x?q=%C3%A4%20b HTTP/1.1\r\nHost: HOST\r\nb: 1\r\nA: 2\r\nb: 3\r\nContent-Length: 2\r\n\r\n{}",
    "GET /base/v2/users HTTP/1.1\r\nHost: other\r\n\r\n",
    "DELETE /base/v2/users HTTP/1.1\r\nHost: HOST\r\n\r\n",
  ]);
});

test("reports a header that cannot be sent", async () => {
  const { url } = await served(() => undefined);
  expect(await sendOverHttp(url)({ ...get, headers: [["a", "\n"]] })).toMatchObject({
    kind: "reset",
    reason: expect.stringContaining("could not be sent"),
  });
});

test("repeats a GET over a new connection if the target closed the kept one", async () => {
  let connections = 0;
  let responses = 0;
  const { url, server } = await served((socket) => {
    responses += 1;
    if (responses === 2) socket.resetAndDestroy();
    else socket.write(`${ok(2)}{}`);
  });
  server.on("connection", () => {
    connections += 1;
  });
  const client = sendOverHttp(url, limits);
  onTestFinished(() => client.close());
  expect([(await client(get)).type, (await client(get)).type]).toEqual(["response", "response"]);
  expect([connections, responses]).toEqual([2, 3]);
});

test("closes its connections", async () => {
  const { url, server } = await served((socket) => socket.write(`${ok(2)}{}`));
  const client = sendOverHttp(url, limits);
  const [[socket]] = await Promise.all([once(server, "connection"), client(get)]);
  client.close();
  if (!socket.destroyed) await once(socket, "close");
  expect(socket.destroyed).toBe(true);
});

test("a kept connection accumulates no listeners", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const { url } = await served((socket) => socket.write(`${ok(2)}{}`));
  const client = sendOverHttp(url, limits);
  onTestFinished(() => client.close());
  for (let request = 0; request < 20; request += 1) expect(await client(get)).toMatchObject({ status: 200 });
  expect(warnings).toEqual([]);
});
