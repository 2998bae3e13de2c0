import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { firstPage, type LoadRequest, post } from "./request.ts";
import { keepBusy, type LoadOptions, openLoad, sendOnce, slowestHundredthMs } from "./sender.ts";

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

async function sendAll(port: number, requests: readonly LoadRequest[], options?: LoadOptions): Promise<void> {
  const load = await openLoad(port, 3, options);
  await sendOnce(load, requests).finally(load.close);
}

const large = "x".repeat(300_000);

const responses: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ["a known length", (response) => response.writeHead(200, { "Content-Length": large.length }).end(large)],
  ["one chunk", (response) => response.writeHead(200, { "Transfer-Encoding": "chunked" }).end("x")],
  [
    "several chunks",
    (response) => {
      response.write(large);
      response.end(large);
    },
  ],
  [
    "a head of their own that ends like the last chunk",
    (response) => {
      response.writeHead(200, { "Transfer-Encoding": "chunked", "Keep-Alive": "timeout=60" }).flushHeaders();
      setImmediate(() => response.end("x"));
    },
  ],
  ["no body", (response) => response.writeHead(204, { "Content-Length": 0 }).end()],
];

test.each(responses)("each request is sent once if responses have %s", async (_, respond) => {
  const paths: (string | undefined)[] = [];
  const port = await serve(({ url }, response) => {
    paths.push(url);
    respond(response);
  });
  const requests = Array.from({ length: 10 }, (_each, index) => post(`/${index}`, {}));
  await sendAll(port, requests);
  expect(paths.toSorted()).toEqual(requests.map(({ path }) => path));
});

test("an unsuccessful response ends the load with its text", async () => {
  const port = await serve((_, response) => response.writeHead(409, { "Content-Length": 4 }).end("no!\n"));
  await expect(sendAll(port, [firstPage])).rejects.toThrow(/a request failed: HTTP\/1\.1 409[\s\S]*no!/);
});

test("a silent server is a failure", async () => {
  const port = await serve(() => undefined);
  await expect(sendAll(port, [firstPage], { silenceMsMax: 20 })).rejects.toThrow("no response in 0.02 s");
});

test("a busy server gets each request in turn, again after the last", async () => {
  const paths: (string | undefined)[] = [];
  const port = await serve(({ url }, response) => {
    paths.push(url);
    response.writeHead(200, { "Content-Length": 0 }).end();
  });
  const micros = [1000, 5000].values();
  const process = { cpuMicros: () => micros.next().value ?? 0 };
  const { requests, rate, cpu } = await keepBusy({ port, process }, [post("/a", {}), post("/b", {})], 0.1, 1);
  expect(paths.length).toBe(requests);
  expect(paths).toEqual(paths.map((_, index) => (index % 2 === 0 ? "/a" : "/b")));
  expect(cpu).toBeCloseTo(4000 / requests);
  expect(rate).toBeGreaterThan(0);
});

test("an even rate gives the latency of the slowest hundredth", async () => {
  const port = await serve((_, response) => response.writeHead(200, { "Content-Length": 0 }).end());
  const latencyMs = await slowestHundredthMs(port, firstPage, { connections: 2, rate: 100, seconds: 0.2 });
  expect(latencyMs).toBeGreaterThan(0);
});

test("a connection that the server ends is a failure", async () => {
  const port = await serve(({ socket }) => socket.destroy());
  await expect(sendAll(port, [firstPage])).rejects.toThrow("the server ended a connection");
  await expect(slowestHundredthMs(port, firstPage, { connections: 2, rate: 10, seconds: 1 })).rejects.toThrow(
    "the server ended a connection",
  );
});
