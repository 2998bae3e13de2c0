import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { Body } from "../../src/foundation/http/body.ts";
import { portOf, type Wire, type Wired, wired } from "./_wire.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const get = "GET /v2/x HTTP/1.1\r\nHost: here\r\n\r\n";
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
const long = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";

async function requested(given: Wired, request = get): Promise<{ client: Wire; target: Wire }> {
  const client = await given.client();
  client.send(request);
  const target = await given.target();
  await target.until("\r\n\r\n");
  return { client, target };
}

/** What was handed over of the only exchange. */
async function responseOf(given: Wired) {
  const [passed] = await given.handedOver(1);
  return passed?.exchange.response;
}

test("passes a truncated response on as truncated", async () => {
  const given = await wired();
  const { client, target } = await requested(given);
  target.send(`${long}only this`);
  target.socket.end();
  expect(await client.ended()).toBe(`${long}only this`);
  expect(client.error).toBeUndefined();
  expect(await responseOf(given)).toMatchObject({
    type: "broken",
    kind: "truncated",
    reason: "the connection was closed after 9 of 100 bytes of the body",
    partial: { status: 200, body: new Body(bytes("only this")), bodyLength: 100 },
  });
});

test("adds no last chunk to a chunked response that is truncated", async () => {
  const given = await wired();
  const { client, target } = await requested(given);
  const response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nonly\r\n";
  target.send(response);
  target.socket.end();
  expect(await client.ended()).toBe(response);
  expect(await responseOf(given)).toMatchObject({ kind: "truncated", partial: { bodyLength: 4 } });
});

test("passes on a head without its body", async () => {
  const given = await wired();
  const { client, target } = await requested(given);
  target.send(long);
  target.socket.end();
  expect(await client.ended()).toBe(long);
});

test.each([
  ["before a response", ""],
  ["within one", `${long}only this`],
])("a reset %s is a reset for the client", async (_name, begin) => {
  const given = await wired();
  const { client, target } = await requested(given);
  target.send(begin);
  if (begin !== "") await client.until("only this");
  target.socket.resetAndDestroy();
  await client.ended();
  expect(client).toMatchObject({ received: begin, error: "ECONNRESET" });
  expect(await responseOf(given)).toMatchObject({ kind: begin === "" ? "reset" : "truncated" });
});

test("closes the client's connection if the target closes without a response", async () => {
  const given = await wired();
  const { client, target } = await requested(given);
  target.socket.end();
  expect(await client.ended()).toBe("");
  expect(client.error).toBeUndefined();
  expect(await responseOf(given)).toMatchObject({
    kind: "reset",
    reason: "the connection was closed before a response arrived",
  });
});

test("blames no side if the target closes an idle connection as a request arrives", async () => {
  const given = await wired();
  const { client, target } = await requested(given);
  target.send(ok);
  await client.until("hi");
  client.send(get.replace("/v2/x", "/v2/y"));
  await target.until("/v2/y");
  target.socket.resetAndDestroy();
  await client.ended();
  const [, second] = await given.handedOver(2);
  expect(second?.exchange.response).toMatchObject({ kind: "unexplained" });
});

test("a target that does not send HTTP gives an incomplete response", async () => {
  const given = await wired();
  const { client, target } = await requested(given);
  target.send("SSH-2.0-OpenSSH\r\n\r\n");
  expect(await client.ended()).toBe("");
  expect(await responseOf(given)).toMatchObject({ kind: "reset", reason: expect.stringContaining("not HTTP") });
});

test("ends the request of a client that disconnects, without a violation", async () => {
  for (const begin of ["", `${long}only this`]) {
    const given = await wired();
    const { client, target } = await requested(given);
    target.send(begin);
    if (begin !== "") await client.until("only this");
    client.socket.destroy();
    await target.ended();
    expect(await responseOf(given)).toMatchObject({ kind: "unexplained", reason: "the client disconnected" });
  }
});

test("passes a truncated request on as truncated", async () => {
  const given = await wired();
  const client = await given.client();
  client.send("POST /v2/x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nonly this");
  const target = await given.target();
  await target.until("only this");
  client.socket.destroy();
  expect(await target.ended()).toMatch(/\r\n\r\nonly this$/);
  const [passed] = await given.handedOver(1);
  expect(passed?.exchange).toMatchObject({
    request: { body: new Body(bytes("only this")) },
    response: { kind: "unexplained" },
  });
});

test("says why a target is not reachable, and does not check that response", async () => {
  const taken = createServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  const url = `http://127.0.0.1:${portOf(taken.address())}`;
  taken.close();
  await once(taken, "close");
  const given = await wired({ targets: { ledger: url } });
  const client = await given.client();
  client.send(get);
  const received = await client.until(".\n");
  const sentence = `the ledger at ${url}/ cannot be reached (ECONNREFUSED)`;
  expect(received).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\nContent-Type: text\/plain; charset=UTF-8\r\n/);
  expect(received).toContain(`\r\nUnderstudy-Reason: ${sentence}\r\n`);
  expect(received).toMatch(new RegExp(`\r\n\r\n${sentence.replace("the", "The").replaceAll(/[.()]/g, "\\$&")}\\.\n$`));
  expect(await responseOf(given)).toEqual({ type: "broken", kind: "unexplained", reason: sentence });
});

/** A proxy whose time is paused until `end`. */
async function untimed(): Promise<{ readonly given: Wired; end(): void }> {
  const given = await wired({ timeoutMs: 50 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const end = () => {
    vi.advanceTimersByTime(50);
    vi.useRealTimers();
  };
  return { given, end };
}

test("waits for a silent target until the time-out", async () => {
  const { given, end } = await untimed();
  const { client } = await requested(given);
  end();
  expect(await client.until(".\n")).toMatch(/^HTTP\/1\.1 504 .*sent nothing for 0\.05 s\.\n$/s);
  expect(await responseOf(given)).toMatchObject({ kind: "timed-out" });
});

test("breaks a response off if the target falls silent within it", async () => {
  const { given, end } = await untimed();
  const { client, target } = await requested(given);
  target.send(`${long}only this`);
  await client.until("only this");
  end();
  expect(await client.ended()).toBe(`${long}only this`);
  expect(await responseOf(given)).toMatchObject({ kind: "timed-out", partial: { bodyLength: 100 } });
});

test("does not blame the target for a client that falls silent within its request", async () => {
  const { given, end } = await untimed();
  const request = "POST /v2/x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nonly this";
  const { client, target } = await requested(given, request);
  await target.until("only this");
  end();
  await client.ended();
  expect(await responseOf(given)).toMatchObject({ kind: "unexplained", reason: expect.stringContaining("client") });
});

test("passes a body beyond the limit whole, and keeps only its length", async () => {
  const given = await wired({ bodyBytesMax: 1000 });
  const body = "x".repeat(1001);
  const { client, target } = await requested(
    given,
    `POST /v2/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n${body}`,
  );
  await target.until(body);
  target.send(`HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n${body}`);
  expect(await client.until(body)).toContain(body);
  const [passed] = await given.handedOver(1);
  expect(passed).toMatchObject({ requestBytes: 1001, responseBytes: 1001 });
  expect(passed?.exchange.request.body.size).toBe(0);
  expect(passed?.exchange.response).toMatchObject({
    kind: "unexplained",
    reason: "the response body is omitted: 1001 bytes exceed the limit of 1000",
    partial: { status: 200, body: new Body(bytes("")), bodyLength: 1001 },
  });
});

test("passes bodies beyond the limit of all exchanges on, and keeps others when those end", async () => {
  const given = await wired({ bodyBytesMax: 1000, bufferedBytesMax: 2000 });
  const posting = (body: string) => `POST /v2/x HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const [large, small] = ["x".repeat(1000), "y".repeat(900)];
  const waiting = [await requested(given, posting(large)), await requested(given, posting(large))];
  for (const { target } of waiting) await target.until(large);
  const third = await requested(given, posting(small));
  await third.target.until(small);
  third.target.send(ok);
  await third.client.until("hi");
  expect(await responseOf(given)).toMatchObject({
    kind: "unexplained",
    reason: "the response body is omitted: all bodies in progress exceed the limit of 2000 bytes",
  });
  for (const { client, target } of waiting) {
    target.send(ok.replace("200 OK\r\nContent-Length: 2\r\n\r\nhi", "204 Done\r\n\r\n"));
    await client.until("204 Done");
  }
  await given.handedOver(3);
  third.target.received = "";
  third.client.send(posting(small));
  await third.target.until(small);
  third.target.send(ok);
  const forwarded = await given.handedOver(4);
  expect(forwarded.map(({ omission }) => omission === undefined)).toEqual([false, true, true, true]);
  expect(forwarded[3]?.exchange.request.body.text()).toBe(small);
});

test("a body takes the memory of its size, also in chunks of one byte", async () => {
  const given = await wired({ bufferedBytesMax: 32_768 });
  const chunks = "1\r\nx\r\n".repeat(20_000);
  const request = `POST /v2/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
  const { client, target } = await requested(given, request);
  await target.until("\r\n0\r\n\r\n");
  target.send("HTTP/1.1 204 Done\r\n\r\n");
  await client.until("204 Done");
  const [forwarded] = await given.handedOver(1);
  expect(forwarded?.exchange.request.body.size).toBe(20_000);
});

test("keeps the response to a request beyond the limit, without checking it", async () => {
  const given = await wired({ bodyBytesMax: 1000 });
  const body = "x".repeat(1001);
  const { client, target } = await requested(
    given,
    `POST /v2/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n${body}`,
  );
  await target.until(body);
  target.send(ok);
  await client.until("hi");
  expect(await responseOf(given)).toMatchObject({
    kind: "unexplained",
    reason: expect.stringContaining("the request body is omitted"),
    partial: { status: 200, body: new Body(bytes("hi")), bodyLength: 2 },
  });
});

test("holds back only the last byte of a response until the exchange is kept", async () => {
  let take = () => {};
  const given = await wired({ onExchange: () => new Promise((resolve) => (take = resolve)), heldMsMax: 120_000 });
  for (const [first, last] of [
    ["HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nfirst", "end"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n", "0\r\n\r\n"],
  ] as const) {
    const { client, target } = await requested(given);
    target.send(first);
    expect(await client.until("first")).toBe(first.replace(/\r\n$/, "\r\n"));
    const before = take;
    target.send(last);
    while (take === before) await target.turn();
    expect(client.received).toBe(first);
    take();
    expect(await client.until(last)).toBe(`${first}${last}`);
  }
});

test("holds a response back for a limited time", async () => {
  const given = await wired({ onExchange: () => new Promise(() => undefined), heldMsMax: 20 });
  const { client, target } = await requested(given);
  target.send(ok);
  expect(await client.until("hi")).toBe(ok);
});

test("reads no more from one side than the other takes", async () => {
  const given = await wired({ bodyBytesMax: 1 });
  const size = 200_000_000;
  const chunk = Buffer.alloc(1_000_000);
  const { client, target } = await requested(
    given,
    `POST /v2/x HTTP/1.1\r\nHost: h\r\nContent-Length: ${size}\r\n\r\n`,
  );
  for (const [from, to] of [
    [client, target],
    [target, client],
  ] as const) {
    to.socket.pause();
    if (from === target) from.send(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
    while (from.socket.write(chunk) || (await from.drains()));
    // Buffers of four sockets hold some of it; the rest is not read.
    expect(from.socket.bytesWritten).toBeLessThan(size / 4);
    to.socket.resume();
    from.socket.write(Buffer.alloc(size - chunk.length * Math.floor(from.socket.bytesWritten / chunk.length)));
  }
});

test("completes exchanges in flight before it ends, and begins no new one", async () => {
  const given = await wired({ closeGraceMs: 120_000 });
  const { client, target } = await requested(given);
  const idle = await given.client();
  const closed = given.proxy.close();
  await idle.ended();
  target.send(ok);
  expect(await client.ended()).toBe(ok);
  await closed;
});

test("breaks off an exchange that does not end when it ends", async () => {
  const given = await wired({ closeGraceMs: 10 });
  const { client, target } = await requested(given);
  await given.proxy.close();
  await Promise.all([client.ended(), target.ended()]);
  expect(await responseOf(given)).toMatchObject({ kind: "unexplained" });
});

test("the timings of an exchange add up to its duration", async () => {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const given = await wired({ nowMs: () => (nowMs += 10) });
  const { client, target } = await requested(given);
  target.send(ok);
  await client.until("hi");
  target.received = "";
  client.send(get);
  await target.until("\r\n\r\n");
  target.send(ok);
  const [first, second] = await given.handedOver(2);
  expect(first?.timings).toEqual({ connect: 10, send: 10, wait: 10, receive: 10 });
  expect(first?.exchange).toMatchObject({ startedAt: "2026-01-01T00:00:00.010Z", durationMs: 40 });
  expect(second?.timings).toEqual({ connect: undefined, send: 10, wait: 10, receive: 10 });
  expect(second?.exchange.durationMs).toBe(30);
});
