import fc from "fast-check";
import { expect, test } from "vitest";
import { Body } from "../../src/foundation/http/body.ts";
import type { ForwardedExchange } from "../../src/transport/proxy/forwarded-exchange.ts";
import { type Wire, type Wired, wired } from "./_wire.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: here\r\n${more}\r\n`;

/** Sends a request from a new client; gives both ends once the target has it whole. */
async function requested(given: Wired, request: string, last: string): Promise<{ client: Wire; target: Wire }> {
  const client = await given.client();
  client.send(request);
  const target = await given.target();
  await target.until(last);
  return { client, target };
}

function only(passed: readonly ForwardedExchange[]): ForwardedExchange {
  const [first] = passed;
  if (first === undefined || passed.length > 1) throw new Error(`${passed.length} exchanges`);
  return first;
}

test("changes no byte of a head but the host: order, case, repeated and odd fields, reason phrase", async () => {
  const given = await wired();
  const head = (host: string) =>
    `POST /v2/a%20b?x=%FF&x=1#f HTTP/1.1\r\naccept: a\r\nX-Two: 1\r\nHOST: ${host}\r\nx-two: 2\r\nX-TWO: \xe9\xff\r\nempty:\r\nuser-agent: me\r\nContent-Length: 3\r\n\r\n`;
  const { client, target } = await requested(given, `${head("here:1")}abc`, "abc");
  expect(target.received.replace("empty: ", "empty:")).toBe(`${head(given.targetHost)}abc`);
  const response =
    "HTTP/1.1 299 Tr\xe8s  bien\r\nServer: s\r\nset-cookie: a\r\nSet-Cookie: b\r\ncontent-type: text/plain\r\n" +
    "Content-Disposition: f=\xe9\r\nContent-Length: 3\r\n\r\n\x00\xfe\xff";
  target.send(response);
  expect(await client.until("\xff")).toBe(response);
});

test.each([
  ["no reason phrase", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi"],
  ["neither a date nor anything else", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"],
  ["a status of its own", "HTTP/1.1 799 What\r\nContent-Length: 2\r\n\r\nhi"],
  ["chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"],
  [
    "trailers",
    "HTTP/1.1 200 OK\r\nTrailer: A\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nA: 1\r\na: 2\r\n\r\n",
  ],
  ["no body", "HTTP/1.1 204 No Content\r\nX: hi\r\n\r\n"],
  ["nothing new", 'HTTP/1.1 304 Not Modified\r\nETag: "hi"\r\nContent-Length: 9\r\n\r\n'],
  ["an empty body", "HTTP/1.1 200 OK\r\nX: hi\r\nContent-Length: 0\r\n\r\n"],
  ["a large integer", 'HTTP/1.1 200 OK\r\nContent-Length: 31\r\n\r\n{"offset":1234567890123456789}\n'],
  ["interim responses", `HTTP/1.1 103 Early Hints\r\nLink: <a>\r\nlink: <b>\r\n\r\nHTTP/1.1 102 Odd Name\r\n\r\n${ok}`],
])("a response passes byte for byte: %s", async (_name, response) => {
  const given = await wired();
  const { client, target } = await requested(given, get("/v2/x"), "\r\n\r\n");
  target.send(response);
  await given.handedOver(1);
  expect(await client.until(response.slice(-4))).toBe(response);
  client.send(get("/v2/again"));
  expect(await target.until("/v2/again")).toContain("/v2/again");
});

test("ends a response without a length with its connection", async () => {
  const given = await wired();
  const { client, target } = await requested(given, get("/v2/x"), "\r\n\r\n");
  const response = "HTTP/1.1 200 OK\r\nA: b\r\n\r\nuntil the end";
  target.send(response);
  await client.until("the end");
  target.socket.end();
  expect(await client.ended()).toBe(response);
  expect(only(await given.handedOver(1)).exchange.response).toMatchObject({ type: "response", status: 200 });
});

test("the response to HEAD keeps its Content-Length, and has no body", async () => {
  const given = await wired();
  const { client, target } = await requested(given, "HEAD /v2/x HTTP/1.1\r\nHost: h\r\n\r\n", "\r\n\r\n");
  target.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
  await given.handedOver(1);
  expect(await client.until("500\r\n\r\n")).toBe("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
  client.send(get("/next"));
  await target.until("/next");
});

test("passes no hop-by-hop field on, nor the fields that Connection names", async () => {
  const given = await wired();
  const hops =
    "Connection: close, X-Mine , Content-Length\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nProxy-Connection: a\r\nTE: trailers\r\nUpgrade: h2c\r\n";
  const { client, target } = await requested(
    given,
    `POST /v2/x HTTP/1.1\r\n${hops}Host: h\r\nContent-Length: 1\r\n\r\nb`,
    "b",
  );
  expect(target.received).toBe(`POST /v2/x HTTP/1.1\r\nHost: ${given.targetHost}\r\nContent-Length: 1\r\n\r\nb`);
  target.send(`HTTP/1.1 200 OK\r\n${hops}Content-Length: 2\r\n\r\nhi`);
  expect(await client.ended()).toBe(ok);
});

test("passes a request with Upgrade: h2c on with its body", async () => {
  const given = await wired();
  const upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
  const { client, target } = await requested(
    given,
    `POST /v2/x HTTP/1.1\r\nHost: h\r\n${upgrade}Content-Length: 4\r\n\r\nbody`,
    "body",
  );
  expect(target.received).toBe(`POST /v2/x HTTP/1.1\r\nHost: ${given.targetHost}\r\nContent-Length: 4\r\n\r\nbody`);
  target.send(ok);
  expect(await client.until("hi")).toBe(ok);
  client.send(get("/v2/next"));
  await target.until("/v2/next");
});

test("passes requests on in order if one with an Upgrade follows a request without a response", async () => {
  const given = await wired();
  const upgrade = "Connection: Upgrade\r\nUpgrade: h2c\r\n";
  const posting = `POST /v2/second HTTP/1.1\r\nHost: h\r\n${upgrade}Content-Length: 4\r\n\r\nbody`;
  const pipelined = `${get("/v2/first")}${posting}${get("/v2/third")}`;
  const { client, target } = await requested(given, pipelined, "\r\n\r\n");
  for (const path of ["/v2/first", "/v2/second", "/v2/third"]) {
    await target.until(`${path} HTTP/1.1`);
    target.send(ok.replace("hi", path.slice(-2)));
    await client.until(`\r\n\r\n${path.slice(-2)}`);
  }
  expect(target.received).toContain("Content-Length: 4\r\n\r\nbodyGET /v2/third");
});

test.each([
  ["h2c", "Content-Length: 4\r\n"],
  ["websocket", ""],
])("passes on a request with Upgrade: %s of a client that has ended its side", async (protocol, length) => {
  const given = await wired();
  const second = `POST /v2/second HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${length}\r\nbody`;
  const { client, target } = await requested(given, `${get("/v2/first")}${second}`, "\r\n\r\n");
  client.socket.end();
  target.send(ok);
  await target.until("/v2/second HTTP/1.1");
});

test.each([
  ["a whole URL of another host", "http://evil.example:9/v2/x?a=http://b", "/v2/x?a=http://b"],
  ["a whole URL without a path", "http://evil.example", "/"],
  ["a whole URL with a query alone", "https://evil.example?q", "/?q"],
  ["two slashes", "//evil.example/v2", "//evil.example/v2"],
])("only the path of %s counts", async (_name, requestTarget, path) => {
  const given = await wired();
  const { target } = await requested(given, get(requestTarget, "X-Forwarded-Host: evil.example\r\n"), "\r\n\r\n");
  expect(target.received).toContain(`GET ${path} HTTP/1.1\r\nHost: ${given.targetHost}\r\n`);
  target.send(ok);
  expect(only(await given.handedOver(1)).exchange.request.target).toBe(`http://${given.targetHost}${path}`);
});

test("refuses CONNECT", async () => {
  const given = await wired();
  const client = await given.client();
  client.send("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n");
  expect(await client.ended()).toMatch(/^HTTP\/1\.1 405 .*CONNECT is refused: the targets are fixed\.\n$/s);
  expect(given.passed).toEqual([]);
});

test("survives the reset of a client whose CONNECT was refused", async () => {
  const given = await wired();
  const client = await given.client();
  client.send("CONNECT example.com:443 HTTP/1.1\r\nHost: h\r\n\r\n");
  await client.until("405 Method Not Allowed");
  client.socket.resetAndDestroy();
  const { client: next, target } = await requested(given, get("/v2/x"), "\r\n\r\n");
  target.send(ok);
  expect(await next.until("hi")).toBe(ok);
});

test("refuses input that is not HTTP after the pending responses", async () => {
  const given = await wired();
  const { client, target } = await requested(given, `${get("/v2/x")}no HTTP\r\n\r\n`, "\r\n\r\n");
  target.send(ok);
  const received = await client.ended();
  expect(received.startsWith(ok)).toBe(true);
  expect(received.slice(ok.length)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(target.received).not.toContain("no HTTP");
});

test.each([
  ["an encoding that is not chunked", "Transfer-Encoding: xchunked\r\n"],
  ["an encoding within chunks", "Transfer-Encoding: gzip, chunked\r\n"],
  ["two encodings", "Transfer-Encoding: xchunked\r\nTransfer-Encoding: chunked\r\n"],
  ["a length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"],
  ["two lengths", "Content-Length: 1\r\nContent-Length: 30\r\n"],
  ["a space before the colon", "Transfer-Encoding : chunked\r\n"],
  ["an encoding on a folded line", "Transfer-Encoding:\r\n chunked\r\n"],
])("%s hides no request from the proxy, and reaches no target", async (_name, fields) => {
  const given = await wired();
  const client = await given.client();
  client.send(`POST /v2/x HTTP/1.1\r\nHost: h\r\n${fields}\r\n0\r\n\r\n${get("/v2/smuggled")}`);
  expect(await client.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 (?:400|501) /);
  client.socket.end();
  const { target } = await requested(given, get("/v2/y"), "\r\n\r\n");
  expect(target.received).toContain("/v2/y");
  expect(target.received).not.toContain("/v2/x");
});

test("sends the target no input that is not HTTP", async () => {
  const given = await wired();
  const client = await given.client();
  client.send("nonsense\r\n\r\n");
  expect(await client.ended()).toMatch(/^HTTP\/1\.1 400 .*Understudy-Reason: malformed HTTP request/s);
});

test("selects the target by path, with the prefix of each", async () => {
  const registry = await wired();
  const both = await wired();
  const targets = { ledger: `http://${both.targetHost}/json/`, registry: `http://${registry.targetHost}/api` };
  const given = await wired({ targets });
  const paths = ["/v2/users", "/registry/metadata/v1/info", "/registryish", "/registry?x"];
  for (const path of paths) {
    const client = await given.client();
    client.send(get(path));
    const isRegistry = /^\/registry[/?]/.test(path);
    const target = await (isRegistry ? registry : both).target();
    expect(await target.until("\r\n\r\n")).toContain(`GET ${isRegistry ? "/api" : "/json"}${path} HTTP/1.1`);
    target.send(ok);
    await client.until("hi");
  }
  expect(given.passed.map(({ exchange }) => new URL(exchange.request.target).pathname)).toEqual([
    "/json/v2/users",
    "/api/registry/metadata/v1/info",
    "/json/registryish",
    "/api/registry",
  ]);
});

test("refuses requests for the ledger without one", async () => {
  const given = await wired();
  const lonely = await wired({ targets: { registry: `http://${given.targetHost}` } });
  const client = await lonely.client();
  client.send(get("/v2/users"));
  expect(await client.until("configured.\n")).toMatch(
    /^HTTP\/1\.1 502 .*belongs to the ledger, but no ledger URL is configured/s,
  );
  expect(lonely.passed).toEqual([]);
});

test("passes pipelined requests on one after the other", async () => {
  const given = await wired();
  const { client, target } = await requested(given, `${get("/1")}${get("/2")}`, "/1");
  expect(target.received).not.toContain("/2");
  target.send(ok);
  await target.until("/2");
  target.send(ok.replace("hi", "ho"));
  expect(await client.until("ho")).toBe(`${ok}${ok.replace("hi", "ho")}`);
});

test("passes the target's 100 Continue on", async () => {
  const given = await wired();
  const head = "POST /v2/x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nX: \xe9\r\nContent-Length: 2\r\n\r\n";
  const { client, target } = await requested(given, head, "\r\n\r\n");
  expect(target.received).toBe(head.replace("Host: h", `Host: ${given.targetHost}`));
  expect(client.received).toBe("");
  target.send("HTTP/1.1 100 Go On\r\nX-Interim: 1\r\n\r\n");
  expect(await client.until("\r\n\r\n")).toBe("HTTP/1.1 100 Go On\r\nX-Interim: 1\r\n\r\n");
  client.send("ab");
  await target.until("ab");
  target.send(ok);
  await client.until("hi");
  expect(only(given.passed).exchange.request.body.text()).toBe("ab");
});

test("does not wait for the body of a client whose Expect was refused", async () => {
  const given = await wired();
  const head = "POST /v2/x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  const { client, target } = await requested(given, head, "\r\n\r\n");
  target.send(ok.replace("200 OK", "413 No"));
  expect(await client.ended()).toBe(ok.replace("200 OK", "413 No"));
});

test("tunnels a WebSocket, and keeps its handshake as an exchange", async () => {
  const given = await wired();
  const head = `GET /v2/updates/flats HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nupgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n`;
  const { client, target } = await requested(given, `${head}\x81early`, "\r\n\r\n");
  expect(target.received).toBe(head.replace("Host: h", `Host: ${given.targetHost}`));
  const accepted =
    "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: a\r\n\r\n";
  target.send(`${accepted}\x82first`);
  expect(await client.until("first")).toBe(`${accepted}\x82first`);
  expect(await target.until("early")).toContain("\x81early");
  client.send("\x00\xff");
  await target.until("\x00\xff");
  const { exchange } = only(await given.handedOver(1));
  expect(exchange.response).toMatchObject({ type: "response", status: 101 });
  client.socket.destroy();
  await target.ended();
});

test("keeps a refused WebSocket as an exchange", async () => {
  const given = await wired();
  const head = "GET /v2/x HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const { client, target } = await requested(given, head, "\r\n\r\n");
  target.send(ok.replace("200 OK", "403 No"));
  expect(await client.ended()).toBe(ok.replace("200 OK", "403 No"));
  expect(only(given.passed).exchange.response).toMatchObject({ status: 403 });
});

test("gives a client of HTTP/1.0 a response that it can read", async () => {
  const given = await wired();
  const { client, target } = await requested(given, "GET /v2/x HTTP/1.0\r\n\r\n", "\r\n\r\n");
  expect(target.received).toBe(`GET /v2/x HTTP/1.1\r\nHost: ${given.targetHost}\r\n\r\n`);
  target.send("HTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n");
  expect(await client.ended()).toBe("HTTP/1.1 200 OK\r\n\r\nhi");
});

test("reuses one connection to the target for each connection of a client", async () => {
  const given = await wired();
  const { client, target } = await requested(given, get("/1"), "/1");
  for (const path of ["/2", "/3"]) {
    target.send(ok);
    await client.until("hi");
    client.received = "";
    client.send(get(path));
    await target.until(path);
  }
  expect(target.received.match(/GET /g)).toHaveLength(3);
});

const token = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_.!#$%&'*+^`|~"), minLength: 1, maxLength: 12 });
const value = fc
  .array(
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f),
    { maxLength: 30 },
  )
  .map((codes) => String.fromCharCode(...codes).trim());
const fields = fc.array(
  fc.tuple(
    token.map((name) => `x${name}`),
    value,
  ),
  { maxLength: 20 },
);
const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 4 });
const message = fc.record({ fields, chunks, isChunked: fc.boolean() });
type Message = typeof message extends fc.Arbitrary<infer T> ? T : never;

function headOf(start: string, { fields, chunks, isChunked }: Message): string {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  return `${[start, ...fields.map(([name, value]) => `${name}: ${value}`), framing].join("\r\n")}\r\n\r\n`;
}

function bodyOf({ chunks, isChunked }: Message): string {
  const texts = chunks.map((chunk) => Buffer.from(chunk).toString("latin1"));
  return isChunked
    ? `${texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("")}0\r\n\r\n`
    : texts.join("");
}

/** A message whose chunks may be cut in another way. */
function joined(text: string, isChunked: boolean): string {
  if (!isChunked) return text;
  const end = text.indexOf("\r\n\r\n") + 4;
  let [rest, body] = [text.slice(end), ""];
  for (;;) {
    const size = Number.parseInt(rest, 16);
    if (Number.isNaN(size)) throw new Error(`no chunk: ${rest.slice(0, 20)}`);
    const begin = rest.indexOf("\r\n") + 2;
    if (size === 0) return `${text.slice(0, end)}${body}`;
    body += rest.slice(begin, begin + size);
    rest = rest.slice(begin + size + 2);
  }
}

test("both sides receive what the other sent, for any fields and bodies", async () => {
  const given = await wired();
  const host = `Host: ${given.targetHost}`;
  await fc.assert(
    fc.asyncProperty(message, message, async (request, response) => {
      const [sent, replied] = [headOf(`PUT /v2/x HTTP/1.1\r\n${host}`, request), headOf("HTTP/1.1 200 OK", response)];
      const client = await given.client();
      const before = given.passed.length;
      client.send(`${sent}${bodyOf(request)}`);
      const target = await given.target();
      const isWhole = (received: string, { isChunked }: Message, whole: string) =>
        isChunked
          ? received.endsWith("\r\n0\r\n\r\n") || received.endsWith("\r\n\r\n0\r\n\r\n")
          : received.length >= whole.length;
      while (!isWhole(target.received, request, `${sent}${bodyOf(request)}`)) await target.more();
      target.send(`${replied}${bodyOf(response)}`);
      while (!isWhole(client.received, response, `${replied}${bodyOf(response)}`)) await client.more();
      expect(joined(target.received, request.isChunked)).toBe(joined(`${sent}${bodyOf(request)}`, request.isChunked));
      expect(joined(client.received, response.isChunked)).toBe(
        joined(`${replied}${bodyOf(response)}`, response.isChunked),
      );
      const { exchange } = given.passed[before] ?? only([]);
      expect(Buffer.from(exchange.request.body.bytes())).toEqual(Buffer.concat(request.chunks));
      expect(exchange.response).toMatchObject({
        status: 200,
        body: new Body(new Uint8Array(Buffer.concat(response.chunks))),
      });
      client.socket.destroy();
    }),
    { numRuns: 100 },
  );
});
