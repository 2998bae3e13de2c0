import { expect, test } from "vitest";
import { createUnderstudy } from "../../src/entrypoints/library/start-understudy.ts";
import { network, RawConnection } from "./_network.ts";
import { stubOver } from "./_stub.ts";

const users = "/v2/users";
const token = { headers: { Authorization: "Bearer any" } };

/** The body of the list of users, without a fault. */
async function wholeBody(): Promise<string> {
  const { server } = await network();
  const response = await fetch(`${server.url}${users}`, token);
  return await response.text();
}

/** The slices of the body of a request in their order, each received before the next is sent. */
async function slicesOf(plan: object, target = users): Promise<readonly string[]> {
  const { server, nextWait, plan: add } = await network();
  add(plan);
  const client = new RawConnection(server);
  client.ask(target);
  const slices: string[] = [];
  const length = () => Number(/Content-Length: (\d+)/.exec(client.text)?.[1] ?? Number.NaN);
  for (let received = 0; ; ) {
    await client.until(() => client.body.length > received);
    slices.push(client.body.slice(received));
    received = client.body.length;
    if (received >= length()) return slices;
    (await nextWait()).run();
  }
}

test("latency: each response is late by the latency, more or less by the jitter, and the same for the same seed", async () => {
  const latencies = async () => {
    const { server, delays, plan } = await network();
    plan({ on: "getV2Users", times: "all", after: { delay: { latency: "PT0.2S", jitter: "PT0.1S" } } });
    for (let call = 0; call < 20; call += 1) await fetch(`${server.url}${users}`, token);
    return delays;
  };
  const first = await latencies();
  expect(await latencies()).toEqual(first);
  expect([first.length, new Set(first).size]).toEqual([20, 20]);
  expect(Math.min(...first)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...first)).toBeLessThanOrEqual(300);
});

test("latency: it is never below zero, and constant without jitter", async () => {
  const { server, delays, plan } = await network();
  plan({ on: "getV2Users", times: 20, after: { delay: { latency: "PT0.001S", jitter: "PT9S" } } });
  plan({ on: "getV2Idps", times: 2, after: { delay: { latency: "PT0.3S" } } });
  for (let call = 0; call < 20; call += 1) await fetch(`${server.url}${users}`, token);
  expect(Math.min(...delays)).toBeGreaterThan(0);
  for (let call = 0; call < 2; call += 1) await fetch(`${server.url}/v2/idps`, token);
  expect(delays.slice(-2)).toEqual([300, 300]);
});

test("slices: the body arrives in slices of the given length, each after a pause", async () => {
  const body = await wholeBody();
  const slices = await slicesOf({ on: "getV2Users", after: { slices: { bytes: 50, pause: "PT0.01S" } } });
  expect(slices.join("")).toBe(body);
  expect(slices.slice(0, -1).map(({ length }) => length)).toEqual(slices.slice(0, -1).map(() => 50));
});

test("slices: their lengths vary, and are the same for the same seed", async () => {
  const plan = { on: "getV2Users", after: { slices: { bytes: 20, variation: 15, pause: "PT0.01S" } } };
  const slices = await slicesOf(plan);
  expect(await slicesOf(plan)).toEqual(slices);
  const lengths = slices.slice(0, -1).map(({ length }) => length);
  expect(new Set(lengths).size).toBeGreaterThan(1);
  for (const length of lengths) expect([length >= 5, length <= 35]).toEqual([true, true]);
  expect(slices.join("")).toBe(await wholeBody());
});

test("bandwidth: the waits before the pieces of a body add up to its length by the rate", async () => {
  const { server, nextWait, plan } = await network();
  plan({ on: "getV2Users", after: { bandwidth: 100 } });
  const client = new RawConnection(server);
  client.ask(users);
  const body = await wholeBody();
  let waitedMs = 0;
  for (let sent = 0; sent < body.length; sent += 10) {
    const wait = await nextWait();
    expect(client.body.length).toBe(sent);
    waitedMs += wait.ms;
    wait.run();
    await client.until(() => client.body.length === Math.min(body.length, sent + 10));
  }
  expect([client.body, Math.round(waitedMs)]).toEqual([body, body.length * 10]);
});

test("reset after n bytes: the client receives n bytes of the body, and then a reset", async () => {
  const { server, plan } = await network();
  plan({ on: "getV2Users", after: { resetAfter: 17 } });
  const client = new RawConnection(server);
  client.ask(users);
  await client.until(() => client.errorCode !== undefined);
  const body = await wholeBody();
  expect([client.errorCode, client.body]).toEqual(["ECONNRESET", body.slice(0, 17)]);
  expect(client.text).toContain(`Content-Length: ${body.length}\r\n`);
});

test("reset after n bytes: a body that is not longer arrives whole, and the connection stays", async () => {
  const { server, plan } = await network();
  const body = await wholeBody();
  plan({ on: "getV2Users", after: { resetAfter: body.length } });
  const client = new RawConnection(server);
  client.ask(users);
  await client.until(() => client.body === body);
  client.ask(users);
  await client.until(() => client.body.endsWith(`\r\n\r\n${body}`));
  expect(client.errorCode).toBe(undefined);
});

test("slow close: the response is complete, and the connection closes later", async () => {
  const { server, nextWait, plan } = await network();
  plan({ on: "getV2Users", after: { slowClose: "PT3S" } });
  const client = new RawConnection(server);
  client.ask(users);
  const body = await wholeBody();
  await client.until(() => client.body === body);
  const wait = await nextWait();
  expect([wait.ms, client.isEnded]).toEqual([3000, false]);
  expect(client.text).toContain("Connection: close\r\n");
  wait.run();
  await client.until(() => client.isEnded);
  expect([client.errorCode, client.body]).toEqual([undefined, body]);
});

test("any: a fault of all operations applies to each of them, registry included, and ends with its number of calls", async () => {
  const { server, delays, plan } = await network();
  plan({ on: "any", nth: 2, times: 3, after: { delay: "PT1S" } });
  for (const target of [users, "/v2/idps", "/registry/metadata/v1/info", "/v2/unknown", "/v2/packages", users])
    await fetch(`${server.url}${target}`, token);
  expect(delays).toEqual([1000, 1000, 1000]);
});

test("faults combine: a planned response with latency, in slices, reset", async () => {
  const { server, delays, nextWait, plan } = await network();
  const faults = { delay: "PT2S", slices: { bytes: 4, pause: "PT0.5S" }, resetAfter: 10 };
  plan({ on: "getV2Users", instead: { status: 503, body: "unavailable", ...faults } });
  const client = new RawConnection(server);
  client.ask(users);
  for (const received of ["unav", "unavaila"]) {
    await client.until(() => client.body === received);
    const wait = await nextWait();
    expect(wait.ms).toBe(500);
    wait.run();
  }
  await client.until(() => client.errorCode !== undefined);
  expect([delays, client.errorCode, client.body]).toEqual([[2000], "ECONNRESET", "unavailabl"]);
});

test("a pipelined response follows a slow one, and is slow itself", async () => {
  const { server, nextWait, plan } = await network();
  plan({ on: "any", times: "all", after: { slices: { bytes: 100_000 }, bandwidth: 1_000_000 } });
  const client = new RawConnection(server);
  client.ask(users);
  client.ask("/v2/idps");
  const first = await nextWait();
  expect(client.text.split("HTTP/1.1 200 OK").length - 1).toBeLessThanOrEqual(1);
  first.run();
  const second = await nextWait();
  second.run();
  await client.until(() => client.text.includes('"identityProviderConfigs"'));
  expect(client.text).toMatch(/^HTTP.*"users".*HTTP.*"identityProviderConfigs"/s);
});

test("HEAD has no body to slow down", async () => {
  const { server, plan } = await network();
  plan({ on: "getV2Users", after: { bandwidth: 1 } });
  const response = await fetch(`${server.url}${users}`, { method: "HEAD", ...token });
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

test("a client that disconnects ends the wait", async () => {
  const { server, nextWait, plan } = await network();
  plan({ on: "getV2Users", after: { slices: { bytes: 5, pause: "PT1S" } } });
  const client = new RawConnection(server);
  client.ask(users);
  const wait = await nextWait();
  client.socket.destroy();
  while (!wait.isCanceled) await new Promise((resolve) => setImmediate(resolve));
  expect(wait.isCanceled).toBe(true);
});

test("a client that disconnects ends a slow close", async () => {
  const { server, nextWait, plan } = await network();
  plan({ on: "getV2Users", after: { slowClose: "PT1S" } });
  const client = new RawConnection(server);
  client.ask(users);
  const wait = await nextWait();
  client.socket.destroy();
  while (!wait.isCanceled) await new Promise((resolve) => setImmediate(resolve));
  expect(wait.isCanceled).toBe(true);
});

test.each([
  ["a delay", { delay: "PT10M" }],
  ["a latency", { delay: { latency: "PT10M", jitter: "PT1S" } }],
  ["a bandwidth", { bandwidth: 1 }],
  ["slices", { slices: { bytes: 100, pause: "PT9M" } }],
  ["a slow close", { slowClose: "PT10M" }],
])("a server that closes does not wait for %s, and completes the response", async (_fault, after) => {
  const { server, requests, plan } = await network("quickstart", true);
  plan({ on: "getV2Users", after });
  const client = new RawConnection(server);
  client.ask(users);
  while (requests() === 0) await new Promise((resolve) => setImmediate(resolve));
  if (!("delay" in after)) await client.until(() => client.text.includes("\r\n\r\n"));
  await server.close();
  await client.until(() => client.isEnded);
  expect([client.body, client.errorCode]).toEqual([await wholeBody(), undefined]);
});

test("a transmission that would wait longer than ten minutes is cut off", async () => {
  const { server, nextWait, plan } = await network();
  plan({ on: "getV2Users", instead: { status: 200, body: "0123456789", slices: { bytes: 1, pause: "PT4M" } } });
  const client = new RawConnection(server);
  client.ask(users);
  for (let pause = 0; pause < 2; pause += 1) (await nextWait()).run();
  await client.until(() => client.isEnded);
  expect(client.body).toBe("012");
});

test("without a socket: latency applies, slices and bandwidth pace the body, and a reset rejects", async () => {
  const understudy = createUnderstudy();
  const headers = { Authorization: "Bearer any" };
  const ask = (signal?: AbortSignal) =>
    understudy.fetch(users, { headers, ...(signal === undefined ? {} : { signal }) });
  const body = await (await ask()).text();
  understudy.fault("any", { after: { delay: { latency: "PT0.002S" }, slices: { bytes: 100, pause: "PT0.001S" } } });
  const sliced = await ask();
  const lengths: number[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of sliced.body ?? []) {
    lengths.push(chunk.length);
    text += decoder.decode(chunk, { stream: true });
  }
  expect([text, new Set(lengths.slice(0, -1))]).toEqual([body, new Set([100])]);
  understudy.fault("getV2Users", { after: { resetAfter: 5 } });
  await expect(ask()).rejects.toThrow("cut off (truncated)");
  understudy.fault("getV2Users", { after: { delay: "PT10M" } });
  await expect(ask(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  const before = understudy.world["requests"];
  const pending = ask();
  while (understudy.world["requests"] === before) await new Promise((resolve) => setImmediate(resolve));
  await understudy.close();
  expect((await pending).status).toBe(200);
});

test("without a socket: an aborted request ends the body", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { after: { slices: { bytes: 1, pause: "PT9M" } } });
  const patience = new AbortController();
  const response = await understudy.fetch(users, { signal: patience.signal });
  const text = response.text();
  setImmediate(() => patience.abort(new Error("enough")));
  await expect(text).rejects.toThrow("enough");
});

const ledger = `participantId: p::1220ab
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]
synchronizers: [{ alias: a, id: "a::1220ab" }]
users: [{ id: alice }]
`;

test.each([
  [
    "{ on: getV2Users, after: { delay: { latency: PT1S, sigma: 1 } } }",
    /has a delay with neither a median nor a latency/,
  ],
  ["{ on: getV2Users, after: { delay: {} } }", /Use delay: \{ latency: PT0\.1S, jitter: PT0\.05S \}/],
  ["{ on: getV2Users, after: { delay: { latency: PT1S, jitter: PT11M } } }", /has a delay of more than ten minutes/],
  ["{ on: getV2Users, after: { slowClose: PT11M } }", /has a delay of more than ten minutes/],
  ["{ on: getV2Users, after: { slices: { bytes: 1, pause: PT11M } } }", /has a delay of more than ten minutes/],
  ["{ on: getV2Users, after: { slices: { bytes: 5, variation: 5 } } }", /whose variation is not smaller/],
  ["{ on: getV2Users, after: { bandwidth: 0 } }", /bandwidth is 0; the minimum is 1/],
  ["{ on: getV2Users, instead: { bandwidth: 5 } }", /has instead without a response/],
  ["{ on: getV2Users, instead: { reset: true, bandwidth: 5 } }", /has bandwidth and reset, which sends no response/],
  ["{ on: getV2Users, after: { truncate: 1, resetAfter: 5 } }", /ends its connection in several ways/],
  ["{ on: any, instead: { error: SERVICE_NOT_RUNNING } }", /a ledger error, which a registry does not have/],
  ["{ on: any, connect: a }", /names the unknown operation/],
  ["{ on: getV2Users, times: every, instead: { status: 503 } }", /Write it as all/],
])("refuses the plan %s and says why", (entry, message) => {
  expect(() => stubOver({ ledger, extension: `plan: [${entry}]\n` }, "canton-3.5")).toThrow(message);
});
