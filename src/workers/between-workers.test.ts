import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Handler } from "../http/handler.ts";
import { textResponse } from "../http/response.ts";
import { answerWorkers, askWorkers } from "./between-workers.ts";
import { frameOf } from "./frames.ts";

const request = (target: string) => ({ method: "GET", target, headers: [], body: new Uint8Array() });

/** Worker 2 behind its port, and what worker 1 has to ask it with. */
async function pair(handler: Handler) {
  const faults: unknown[] = [];
  const server = await answerWorkers({ secret: "secret", handler, onFault: (fault) => faults.push(fault) });
  const others = askWorkers(new Map([[2, server.port]]), "secret");
  onTestFinished(() => {
    others.close();
    server.close();
  });
  return { server, others, faults };
}

test("requests that are under way at once get each its own answer, in whatever order these come", async () => {
  const first = Promise.withResolvers<ReturnType<typeof textResponse>>();
  const { others } = await pair(({ target }) =>
    target === "/first" ? first.promise : textResponse(200, undefined, target),
  );
  const late = others.ask(2, request("/first"));
  const texts = await Promise.all(["/a", "/b", "/c"].map((target) => others.ask(2, request(target))));
  expect(texts).toMatchObject(
    ["/a", "/b", "/c"].map((text) => ({ status: 200, body: new TextEncoder().encode(text) })),
  );
  first.resolve(textResponse(418, undefined, "late"));
  expect(await late).toMatchObject({ status: 418 });
});

test("a request that a worker fails at is rejected, and the fault is told there", async () => {
  const { others, faults } = await pair(() => Promise.reject(new Error("broken inside")));
  await expect(others.ask(2, request("/"))).rejects.toThrow("the worker that owns the world failed");
  expect(faults).toEqual([new Error("broken inside")]);
});

test("requests to a worker that ends are rejected", async () => {
  const met = Promise.withResolvers<void>();
  const { server, others } = await pair(() => {
    met.resolve();
    return new Promise(() => undefined);
  });
  const asked = others.ask(2, request("/"));
  await met.promise;
  server.close();
  await expect(asked).rejects.toThrow("the worker that owns the world has ended");
  await expect(others.ask(2, request("/"))).rejects.toThrow("the worker that owns the world has ended");
});

test.each<[what: string, said: Uint8Array]>([
  ["another secret", frameOf(0, Buffer.from("secreT"))],
  ["a shorter secret", frameOf(0, Buffer.from("secre"))],
  ["a longer secret", frameOf(0, Buffer.from("secret2"))],
  ["none", Buffer.from("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")],
])("who says %s is dropped, whatever follows", async (_, said) => {
  const met: string[] = [];
  const { server } = await pair(({ target }) => {
    met.push(target);
    return textResponse(200, undefined, "");
  });
  const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
  let came = 0;
  socket.on("data", (bytes) => {
    came += bytes.length;
  });
  const closed = once(socket, "close");
  socket.write(Buffer.concat([said, frameOf(1, Buffer.from([0, 0, 0, 2, 0x7b, 0x7d]))]));
  await closed;
  expect([came, met]).toEqual([0, []]);
});
