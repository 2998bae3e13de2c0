import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { bytesOf, type LoadRequest } from "./request.ts";
import { type Figures, percentile } from "./rows.ts";
import type { Serving } from "./serving.ts";

/** Connections of the load; each sends its next request after the response to the last. */
const connectionsOfLoad = 32;

/** Opened connections to a server, in a process that polls them without a pause until `close`. */
interface Load {
  readonly connections: readonly Connection[];
  /** Rejects at the first unsuccessful response or broken connection. */
  readonly failed: Promise<never>;
  close(): void;
}

/**
 * Opens connections. The process never sleeps while they are open: to wake a process on another core costs a virtual machine
 * up to 20 µs, more than the bare server needs for a request, and only a server that is slower than the load would pay it.
 * `onTurn` is called in each turn of the event loop.
 */
async function openLoad(port: number, count: number, onTurn?: () => void): Promise<Load> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const opened = Array.from({ length: count }, async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Connection(socket, reject);
  });
  const connections = await Promise.all(opened);
  let isOpen = true;
  const poll = () => {
    if (!isOpen) return;
    onTurn?.();
    setImmediate(poll);
  };
  setImmediate(poll);
  const close = () => {
    isOpen = false;
    for (const connection of connections) connection.close();
  };
  return { connections, failed, close };
}

/** A connection that sends one request at a time. */
class Connection {
  readonly #socket: Socket;
  #response: ArrivingResponse | undefined;
  #done: (() => void) | undefined;
  #isClosed = false;

  /** `fail` is called with an unsuccessful response, or if the server ends the connection. */
  constructor(socket: Socket, fail: (problem: Error) => void) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      try {
        this.#receive(chunk);
      } catch (problem) {
        fail(problem instanceof Error ? problem : new Error(String(problem)));
      }
    });
    socket.on("error", fail);
    socket.on("close", () => {
      if (!this.#isClosed) fail(new Error("the server ended a connection"));
    });
  }

  send(bytes: string | Uint8Array, done: () => void): void {
    this.#done = done;
    this.#socket.write(bytes);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#response ??= responseOf(chunk);
    this.#response.missing -= chunk.length;
    if (this.#response.missing > 0 || !this.#response.isWholeWith(chunk)) return;
    this.#response = undefined;
    this.#done?.();
  }
}

interface ArrivingResponse {
  /** Bytes that have not arrived, of those that are known to come. */
  missing: number;
  isWholeWith(last: Buffer): boolean;
}

const lastChunk = "0\r\n\r\n";

/** A response whose head arrives in one piece. Throws if it is unsuccessful. */
function responseOf(first: Buffer): ArrivingResponse {
  const headEnd = first.indexOf("\r\n\r\n");
  const head = first.toString("latin1", 0, Math.max(0, headEnd));
  if (!head.startsWith("HTTP/1.1 2")) throw new Error(`a request failed: ${first.toString().slice(0, 700)}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return { missing: headEnd + 4 + Number(length), isWholeWith: () => true };
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`a response without a length: ${head}`);
  let tail = "";
  const isWholeWith = (last: Buffer) => {
    tail = (tail + last.toString("latin1", Math.max(0, last.length - lastChunk.length))).slice(-lastChunk.length);
    return tail === lastChunk;
  };
  return { missing: 0, isWholeWith };
}

/** The number of requests, the requests a second, and the processor time of one in microseconds. */
interface LoadFigures extends Figures {
  readonly requests: number;
  readonly rate: number;
  readonly cpu: number;
}

/** Keeps a server busy for some seconds with requests in turn, from the beginning again after the last. Throws if one fails. */
export async function keepBusy(
  { port, process }: Serving,
  requests: readonly LoadRequest[],
  seconds: number,
): Promise<LoadFigures> {
  const bytes = requests.map((request) => Buffer.from(bytesOf(request)));
  const { connections, failed, close } = await openLoad(port, connectionsOfLoad);
  const [startAt, cpuBefore] = [performance.now(), process.cpuMicros()];
  const endAt = startAt + seconds * 1000;
  let [next, received] = [0, 0];
  const sendUntilEnd = (connection: Connection, end: () => void) => {
    const sent = bytes[next];
    if (sent === undefined || performance.now() >= endAt) {
      end();
      return;
    }
    next = (next + 1) % bytes.length;
    connection.send(sent, () => {
      received += 1;
      sendUntilEnd(connection, end);
    });
  };
  try {
    const ends = connections.map((connection) => new Promise<void>((end) => sendUntilEnd(connection, end)));
    await Promise.race([Promise.all(ends), failed]);
    const cpu = (process.cpuMicros() - cpuBefore) / received;
    return { requests: received, rate: (received * 1000) / (performance.now() - startAt), cpu };
  } finally {
    close();
  }
}

/** Sends each request once, on several connections at a time. Throws if one fails. */
export async function sendOnce(port: number, requests: readonly LoadRequest[], connections: number): Promise<void> {
  const waiting = requests.map(bytesOf).values();
  const load = await openLoad(port, connections);
  const sendNext = (connection: Connection, done: () => void) => {
    const { value, done: isLast } = waiting.next();
    if (isLast === true) done();
    else connection.send(value, () => sendNext(connection, done));
  };
  try {
    const ends = load.connections.map((connection) => new Promise<void>((done) => sendNext(connection, done)));
    await Promise.race([Promise.all(ends), load.failed]);
  } finally {
    load.close();
  }
}

export interface Pace {
  readonly connections: number;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

/**
 * Sends a request at an even rate, and gives the 99th percentile of the latencies in milliseconds. A latency counts from the
 * time at which the request was due, so that the wait behind a stalled one is included. The first second does not count.
 */
export async function slowestHundredthMs(port: number, request: LoadRequest, pace: Pace): Promise<number> {
  const bytes = Buffer.from(bytesOf(request));
  const idle: Connection[] = [];
  const [waiting, latencies]: [number[], number[]] = [[], []];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const startAt = performance.now();
  const [beginAt, endAt] = [startAt + 1000, startAt + 1000 + pace.seconds * 1000];
  const send = (connection: Connection, dueAt: number) =>
    connection.send(bytes, () => {
      if (dueAt >= beginAt) latencies.push(performance.now() - dueAt);
      const next = waiting.shift();
      if (next === undefined) idle.push(connection);
      else send(connection, next);
    });
  let sent = 0;
  const load = await openLoad(port, pace.connections, () => {
    const nowAt = performance.now();
    for (;;) {
      const dueAt = startAt + (sent * 1000) / pace.rate;
      if (dueAt > Math.min(nowAt, endAt)) break;
      sent += 1;
      const connection = idle.pop();
      if (connection === undefined) waiting.push(dueAt);
      else send(connection, dueAt);
    }
    if (nowAt >= endAt && idle.length === pace.connections) end();
  });
  idle.push(...load.connections);
  try {
    await Promise.race([ended, load.failed]);
    return percentile(latencies, 0.99);
  } finally {
    load.close();
  }
}
