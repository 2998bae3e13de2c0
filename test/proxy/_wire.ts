import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { ForwardedExchange } from "../../src/transport/proxy/forwarded-exchange.ts";
import { type ProxyOptions, type RunningProxy, startProxy } from "../../src/transport/proxy/proxy.ts";

/** Bytes as text, one character each. */
const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

/** One end of a connection, as bytes. */
export class Wire {
  readonly socket: Socket;
  received = "";
  isEnded = false;
  error: string | undefined;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => {
      this.received += chunk.toString("latin1");
      this.#wake();
    });
    for (const event of ["end", "close"] as const)
      socket.on(event, () => {
        this.isEnded = true;
        this.#wake();
      });
    socket.on("error", (error) => {
      this.error = "code" in error ? String(error.code) : error.message;
    });
  }

  send(text: string): void {
    this.socket.write(bytes(text));
  }

  /** Resolves when more is received, or at the end. */
  more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Lets the proxy, which runs in this process, go on. */
  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Whether what was written is taken, though slowly; false once nothing is for a while of turns. */
  async drains(): Promise<boolean> {
    const before = this.socket.writableLength;
    for (let turn = 0; turn < 2000; turn += 1) {
      if (this.socket.writableLength < before) return true;
      await this.turn();
    }
    return false;
  }

  /** All received text, as soon as it contains this text. */
  async until(text: string): Promise<string> {
    while (!this.received.includes(text)) {
      if (this.isEnded) throw new Error(`the connection ended: ${JSON.stringify(this.received)}`);
      await this.more();
    }
    return this.received;
  }

  /** All received text, when the other end has ended or broken off the connection. */
  async ended(): Promise<string> {
    while (!this.isEnded) await this.more();
    return this.received;
  }
}

export interface Wired {
  readonly proxy: RunningProxy;
  readonly passed: readonly ForwardedExchange[];
  /** What was handed over, once there are so many. */
  handedOver(count: number): Promise<readonly ForwardedExchange[]>;
  /** A new connection of a client. */
  client(): Promise<Wire>;
  /** The next connection at the target. */
  target(): Promise<Wire>;
  readonly targetHost: string;
}

/** A proxy before a target, of which both ends are in the hands of the test. */
export async function wired(more: Partial<ProxyOptions> = {}): Promise<Wired> {
  const [waiting, arrived]: [((wire: Wire) => void)[], Wire[]] = [[], []];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const wire = new Wire(socket);
    const next = waiting.shift();
    if (next === undefined) arrived.push(wire);
    else next(wire);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const targetHost = `127.0.0.1:${portOf(server.address())}`;
  const passed: ForwardedExchange[] = [];
  let wake = () => {};
  const proxy = await startProxy({
    targets: { ledger: `http://${targetHost}` },
    host: "127.0.0.1",
    port: 0,
    timeoutMs: 120_000,
    bodyBytesMax: 1_000_000,
    bufferedBytesMax: 10_000_000,
    nowMs: () => performance.timeOrigin + performance.now(),
    heldMsMax: 120_000,
    closeGraceMs: 0,
    ...more,
    onExchange: async (exchange) => {
      await more.onExchange?.(exchange);
      passed.push(exchange);
      wake();
    },
  });
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  return {
    proxy,
    passed,
    targetHost,
    handedOver: async (count) => {
      while (passed.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return passed;
    },
    client: async () => {
      const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
      onTestFinished(() => {
        socket.destroy();
      });
      await once(socket, "connect");
      return new Wire(socket);
    },
    target: () => {
      const wire = arrived.shift();
      return wire === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(wire);
    },
  };
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
