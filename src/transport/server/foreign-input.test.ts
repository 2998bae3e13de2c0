import { text } from "node:stream/consumers";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { connectionTo, listening } from "../../../test/_server.ts";
import { textResponse } from "../../foundation/http/response.ts";

/** What a connection receives for these bytes, and the protocols that the server named. */
async function received(...packets: readonly string[]): Promise<{ response: string; named: readonly string[] }> {
  const named: string[] = [];
  const { url } = await listening(() => textResponse(200, "text/plain", "ok"), {
    onOtherProtocol: (protocol) => named.push(protocol),
  });
  const socket = await connectionTo(url);
  for (const packet of packets) socket.write(Buffer.from(packet, "latin1"));
  return { response: await text(socket), named };
}

const valid = "POST /v2/users HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n{}\n";

test.each([
  [
    "HTTP/2, with which gRPC begins",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12",
    501,
    "HTTP/2 is not supported, and so no gRPC",
  ],
  [
    "a TLS handshake",
    "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
    400,
    "began a TLS handshake, and this port serves http",
  ],
  ["SOCKS 5", "\x05\x01\0", 400, "The client speaks SOCKS"],
  ["SOCKS 4", "\x04\x01\0\x50\x7f\0\0\x01\0", 400, "The client speaks SOCKS"],
  ["the PROXY protocol", "PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n", 400, "the PROXY protocol of a load balancer"],
  [
    "version 2 of the PROXY protocol",
    "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c",
    400,
    "the PROXY protocol of a load balancer",
  ],
])("names %s in the response, and to the server's owner", async (_what, bytes, status, words) => {
  const { response, named } = await received(bytes);
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(response).toContain(words);
  expect(named).toEqual([expect.stringContaining(words)]);
});

test("names HTTP/2 if its preface arrives in parts", async () => {
  const { response } = await received("PRI * HTTP/2.0\r\n\r\n", "SM\r\n\r\n");
  expect(response).toContain("HTTP/2 is not supported");
});

test.each([
  ["a version to come", "GET /v2/users HTTP/3.0\r\nHost: a\r\n\r\n", 505, "Unsupported HTTP version. Use HTTP/1.1."],
  ["an unknown method", "BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", 501, "Unsupported HTTP method: BREW."],
  ["a method in lower case", "get /v2/users HTTP/1.1\r\nHost: a\r\n\r\n", 501, "Unsupported HTTP method: get."],
  [
    "a method of 15 characters",
    `${"A".repeat(15)} / HTTP/1.1\r\n\r\n`,
    501,
    `Unsupported HTTP method: ${"A".repeat(15)}.`,
  ],
  [
    "a method of 16 characters",
    `${"A".repeat(16)} / HTTP/1.1\r\n\r\n`,
    400,
    `Unsupported HTTP method: ${"A".repeat(16)}.`,
  ],
  [
    "an unknown method behind a valid request",
    `${valid}BREW /pot HTTP/1.1\r\n\r\n`,
    501,
    "Unsupported HTTP method: BREW.",
  ],
  ["a malformed header", "GET / HTTP/1.1\r\nHost a\r\n\r\n", 400, "Malformed HTTP request"],
  ["text that is not HTTP", "hello\r\n\r\n", 400, "Malformed HTTP request"],
])("refuses %s with a reason, and names no protocol", async (_what, bytes, status, words) => {
  const { response, named } = await received(bytes);
  expect(response.slice(response.lastIndexOf("HTTP/1.1 "))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(response).toContain(words);
  expect(named).toEqual([]);
});

test("names each protocol once", async () => {
  const named: string[] = [];
  const more = { onOtherProtocol: (protocol: string) => named.push(protocol) };
  const { url } = await listening(() => textResponse(200, "text/plain", "ok"), more);
  for (const bytes of ["\x05\x01\0", "\x16\x03\x01", "\x05\x01\0"]) {
    const socket = await connectionTo(url);
    socket.write(bytes);
    await text(socket);
  }
  expect(named).toHaveLength(2);
});

test("names http on a port that serves https", async () => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }]);
  const named: string[] = [];
  const more = { tls: { cert, key }, onOtherProtocol: (protocol: string) => named.push(protocol) };
  const { url } = await listening(() => textResponse(200, "text/plain", "ok"), more);
  const socket = await connectionTo(url);
  socket.write("GET /v2/users HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(await text(socket)).toBe("");
  expect(named).toEqual([expect.stringContaining("Use https:// in the URL.")]);
});
