import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterFile } from "../_after-file.ts";

/** A proxy of TCP that can be cut: its connections end, and it refuses others; or stalled: nothing passes. */
export class CuttableProxy {
  readonly #sockets = new Set<Socket>();
  readonly #target: () => number;
  #isCut = false;
  #isStalled = false;
  #port = 0;

  private constructor(target: () => number) {
    this.#target = target;
  }

  /** A proxy to the port that `target` gives for each connection. */
  static async start(target: () => number): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(target);
    const server = createServer((socket) => proxy.#join(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    proxy.#port = Number(Object(server.address()).port);
    afterFile(() => {
      proxy.cut();
      server.close();
    });
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  heal(): void {
    this.#isCut = false;
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #join(client: Socket): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const server = connect(this.#target(), "127.0.0.1");
    this.#pass(client, server);
    this.#pass(server, client);
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on("data", (chunk) => to.write(chunk));
    if (this.#isStalled) from.pause();
    from.on("error", () => undefined);
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
