import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { bytesOf, type LoadRequest } from "./request.ts";
import { percentile } from "./rows.ts";

/** A connection that sends one request at a time. All measured servers send a Content-Length. */
class Connection {
  readonly #socket: Socket;
  #missing = 0;
  #done: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#receive(chunk));
  }

  send(bytes: string, done: () => void): void {
    this.#done = done;
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#missing === 0) this.#missing = lengthOfResponse(chunk);
    this.#missing -= chunk.length;
    if (this.#missing === 0) this.#done?.();
  }
}

/** Bytes of a response, computed from its head, which arrives in one piece. Throws if the response is unsuccessful. */
function lengthOfResponse(chunk: Buffer): number {
  const headEnd = chunk.indexOf("\r\n\r\n");
  const length = /^HTTP\/1\.1 2[\s\S]*\r\ncontent-length: (\d+)/i.exec(chunk.toString("latin1", 0, headEnd))?.[1];
  if (headEnd === -1 || length === undefined) throw new Error(`a request failed: ${chunk.toString().slice(0, 700)}`);
  return headEnd + 4 + Number(length);
}

function openAll(port: number, count: number): Promise<Connection[]> {
  const opened = Array.from({ length: count }, async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Connection(socket);
  });
  return Promise.all(opened);
}

/** Sends each request once, on several connections at a time. */
export async function sendOnce(port: number, requests: readonly LoadRequest[], connections: number): Promise<void> {
  const waiting = requests.map(bytesOf).values();
  const opened = await openAll(port, connections);
  const sendNext = (connection: Connection, done: () => void) => {
    const { value, done: isLast } = waiting.next();
    if (isLast === true) done();
    else connection.send(value, () => sendNext(connection, done));
  };
  await Promise.all(opened.map((connection) => new Promise<void>((done) => sendNext(connection, done))));
  for (const connection of opened) connection.close();
}

export interface Pace {
  readonly connections: number;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

/**
 * Sends a request at an even rate, and gives the 99th percentile of the latencies in milliseconds. A latency counts from the
 * time at which the request was due, so that the wait behind a stalled one is included. The loop spins, because a timer
 * of a millisecond is coarser than the latencies. The first second does not count.
 */
export async function slowestHundredthMs(port: number, request: LoadRequest, pace: Pace): Promise<number> {
  const idle = await openAll(port, pace.connections);
  const opened = [...idle];
  const bytes = bytesOf(request);
  const [waiting, latencies]: [number[], number[]] = [[], []];
  const startAt = performance.now();
  const [beginAt, endAt] = [startAt + 1000, startAt + 1000 + pace.seconds * 1000];
  const send = (connection: Connection, dueAt: number) =>
    connection.send(bytes, () => {
      if (dueAt >= beginAt) latencies.push(performance.now() - dueAt);
      const next = waiting.shift();
      if (next === undefined) idle.push(connection);
      else send(connection, next);
    });
  for (let due = 0; performance.now() < endAt; await setImmediate())
    for (;;) {
      const dueAt = startAt + (due * 1000) / pace.rate;
      if (dueAt > performance.now()) break;
      due += 1;
      const connection = idle.pop();
      if (connection === undefined) waiting.push(dueAt);
      else send(connection, dueAt);
    }
  while (idle.length < opened.length) await setImmediate();
  for (const connection of opened) connection.close();
  return percentile(latencies, 0.99);
}
