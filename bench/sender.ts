import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Started } from "./processes.ts";
import { bytesOf, type LoadRequest } from "./request.ts";
import { type Figures, percentile } from "./rows.ts";
import type { Serving } from "./serving.ts";

/** Connections of the load; each sends its next request after the response to the last. */
export const connectionsOfLoad = 32;

/** Opened connections to a server, in a process that polls them without a pause until `close`. */
export interface Load {
  readonly connections: readonly Connection[];
  /** Rejects at the first unsuccessful response or broken connection, or if the server is silent. */
  readonly failed: Promise<never>;
  close(): void;
}

export interface LoadOptions {
  /** Called in each turn of the event loop. */
  readonly onTurn?: () => void;
  /** Time without a byte of the server after which it counts as silent. */
  readonly silenceMsMax?: number;
}

/**
 * Opens connections. The process never sleeps while they are open: to wake a process on another core costs a virtual machine
 * up to 20 µs, more than the bare server needs for a request, and only a server that is slower than the load would pay it.
 */
export async function openLoad(
  port: number,
  count: number,
  { onTurn, silenceMsMax = 20_000 }: LoadOptions = {},
): Promise<Load> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  try {
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
  } catch (error) {
    closeAll();
    throw error;
  }
  let [isOpen, heardAt] = [true, performance.now()];
  const fail = (problem: Error) => {
    if (isOpen) reject(problem);
  };
  const hear = () => {
    heardAt = performance.now();
  };
  const connections = sockets.map((socket) => new Connection(socket, { fail, hear }));
  const poll = () => {
    if (!isOpen) return;
    if (performance.now() - heardAt > silenceMsMax) fail(new Error(`no response in ${silenceMsMax / 1000} s`));
    onTurn?.();
    setImmediate(poll);
  };
  setImmediate(poll);
  const close = () => {
    isOpen = false;
    closeAll();
  };
  return { connections, failed, close };
}

interface ConnectionEvents {
  /** Called with an unsuccessful response, or if the connection ends. */
  readonly fail: (problem: Error) => void;
  /** Called when bytes arrive. */
  readonly hear: () => void;
}

/** A connection that sends one request at a time. */
class Connection {
  readonly #socket: Socket;
  #response: ArrivingResponse | undefined;
  #done: (() => void) | undefined;

  constructor(socket: Socket, { fail, hear }: ConnectionEvents) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      hear();
      try {
        this.#receive(chunk);
      } catch (problem) {
        fail(problem instanceof Error ? problem : new Error(String(problem)));
      }
    });
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("the server ended a connection")));
  }

  send(bytes: string | Uint8Array, done: () => void): void {
    this.#done = done;
    this.#socket.write(bytes);
  }

  #receive(chunk: Buffer): void {
    const isFirst = this.#response === undefined;
    this.#response ??= responseOf(chunk);
    const { headLength } = this.#response;
    if (!this.#response.isWholeWith(isFirst ? chunk.subarray(headLength) : chunk)) return;
    this.#response = undefined;
    this.#done?.();
  }
}

interface ArrivingResponse {
  readonly headLength: number;
  /** Whether the response is whole with this part of its body. */
  isWholeWith(part: Buffer): boolean;
}

const [headEnd, lastChunk] = ["\r\n\r\n", "0\r\n\r\n"];

/** A response whose head arrives in one piece. Throws if it is unsuccessful. */
function responseOf(first: Buffer): ArrivingResponse {
  const headLength = first.indexOf(headEnd) + headEnd.length;
  const head = first.toString("latin1", 0, headLength);
  if (!head.startsWith("HTTP/1.1 2")) throw new Error(`a request failed: ${first.toString().slice(0, 700)}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    let missing = Number(length);
    const isWholeWith = (part: Buffer) => {
      missing -= part.length;
      return missing === 0;
    };
    return { headLength, isWholeWith };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`a response without a length: ${head}`);
  let tail = "";
  const isWholeWith = (part: Buffer) => {
    tail = (tail + part.toString("latin1", Math.max(0, part.length - lastChunk.length))).slice(-lastChunk.length);
    return tail === lastChunk;
  };
  return { headLength, isWholeWith };
}

/** The number of requests, the requests a second, and the processor time of one in microseconds. */
interface LoadFigures extends Figures {
  readonly requests: number;
  readonly rate: number;
  readonly cpu: number;
}

/** Keeps a server busy for some seconds with requests in turn, from the beginning again after the last. Throws if one fails. */
export async function keepBusy(
  { port, process }: Pick<Serving, "port"> & { readonly process: Pick<Started, "cpuMicros"> },
  requests: readonly LoadRequest[],
  seconds: number,
  connectionCount: number = connectionsOfLoad,
): Promise<LoadFigures> {
  const bytes = requests.map((request) => Buffer.from(bytesOf(request)));
  const { connections, failed, close } = await openLoad(port, connectionCount);
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

/** Sends each request once, on all connections of a load. Throws if one fails. */
export async function sendOnce({ connections, failed }: Load, requests: readonly LoadRequest[]): Promise<void> {
  const waiting = requests.map(bytesOf).values();
  const sendNext = (connection: Connection, done: () => void) => {
    const { value, done: isLast } = waiting.next();
    if (isLast === true) done();
    else connection.send(value, () => sendNext(connection, done));
  };
  const ends = connections.map((connection) => new Promise<void>((done) => sendNext(connection, done)));
  await Promise.race([Promise.all(ends), failed]);
}

/** Time at the beginning of an even rate that does not count. */
const uncountedMs = 1000;

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
  let startAt: number | undefined;
  const send = (connection: Connection, dueAt: number) =>
    connection.send(bytes, () => {
      if (dueAt >= (startAt ?? 0) + uncountedMs) latencies.push(performance.now() - dueAt);
      const next = waiting.shift();
      if (next === undefined) idle.push(connection);
      else send(connection, next);
    });
  let sent = 0;
  const onTurn = () => {
    const nowAt = performance.now();
    startAt ??= nowAt;
    const endAt = startAt + uncountedMs + pace.seconds * 1000;
    for (;;) {
      const dueAt = startAt + (sent * 1000) / pace.rate;
      if (dueAt > Math.min(nowAt, endAt)) break;
      sent += 1;
      const connection = idle.pop();
      if (connection === undefined) waiting.push(dueAt);
      else send(connection, dueAt);
    }
    if (nowAt >= endAt && idle.length === pace.connections) end();
  };
  const load = await openLoad(port, pace.connections, { onTurn });
  idle.push(...load.connections);
  try {
    await Promise.race([ended, load.failed]);
    return percentile(latencies, 0.99);
  } finally {
    load.close();
  }
}
