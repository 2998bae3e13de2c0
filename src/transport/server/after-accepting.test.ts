import { once } from "node:events";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { afterAccepting } from "./after-accepting.ts";

/** Opens connections, stops listening before most of them are accepted, and returns what each receives. */
async function receivedBy(count: number, msMax: number): Promise<readonly string[]> {
  const server = createServer((socket) => socket.end("served"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  const received = sockets.map((socket) => text(socket).catch(() => "reset"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  afterAccepting(server, msMax, () => server.close());
  await once(server, "close");
  return Promise.all(received);
}

test("connections that wait to be accepted are accepted before the server stops listening", async () => {
  expect(new Set(await receivedBy(50, 60_000))).toEqual(new Set(["served"]));
});

test("the wait has a maximum", async () => {
  expect(await receivedBy(50, 0)).toContain("reset");
});
