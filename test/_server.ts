import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type RunningServer, type ServerOptions, startServer } from "../src/transport/server/http-server.ts";

/** A free port of loopback; faults of handlers are not shown. */
export const onLoopback = { host: "127.0.0.1", port: 0, isCorsAllowed: false, onFault: (): void => undefined } as const;

/** Serves a handler until the test ends. */
export async function listening(
  handler: ServerOptions["handler"],
  more: Partial<ServerOptions> = {},
): Promise<RunningServer> {
  const server = await startServer({ ...onLoopback, handler, ...more });
  onTestFinished(() => server.close());
  return server;
}

/** A connection to a server, open until the test ends. A reset is no error of the test. */
export async function connectionTo(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", noDelay: true });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}
