import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { firstPage, post } from "./request.ts";
import { sendOnce, slowestHundredthMs } from "./sender.ts";

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
  ["no body", (response) => response.writeHead(204, { "Content-Length": 0 }).end()],
];

test.each(responses)("each request is sent once if responses have %s", async (_, respond) => {
  const paths: (string | undefined)[] = [];
  const port = await serve(({ url }, response) => {
    paths.push(url);
    respond(response);
  });
  const requests = Array.from({ length: 10 }, (_each, index) => post(`/${index}`, {}));
  await sendOnce(port, requests, 3);
  expect(paths.toSorted()).toEqual(requests.map(({ path }) => path));
});

test("an unsuccessful response ends the load with its text", async () => {
  const port = await serve((_, response) => response.writeHead(409, { "Content-Length": 4 }).end("no!\n"));
  await expect(sendOnce(port, [firstPage], 1)).rejects.toThrow(/a request failed: HTTP\/1\.1 409[\s\S]*no!/);
});

test("a connection that the server ends is a failure", async () => {
  const port = await serve(({ socket }) => socket.destroy());
  await expect(sendOnce(port, [firstPage], 1)).rejects.toThrow("the server ended a connection");
  await expect(slowestHundredthMs(port, firstPage, { connections: 2, rate: 10, seconds: 1 })).rejects.toThrow(
    "the server ended a connection",
  );
});
