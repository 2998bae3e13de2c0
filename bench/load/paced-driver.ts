// Sends requests at an even rate, without waiting for responses: `node paced-driver.ts PORT RATE SECONDS REQUESTS`.
// A latency counts from the time at which the request was due, so that the wait behind a stalled request is included.
// The loop spins, because a timer of a millisecond is coarser than the measured latencies. It needs its own core.
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { percentile } from "../medians.ts";
import { bytesOf, type LoadRequest } from "./request.ts";

const connections = 64;
const warmUpSeconds = 1;

const [port = 0, rate = 1, seconds = 1] = process.argv.slice(2, 5).map(Number);
const requested: readonly LoadRequest[] = JSON.parse(readFileSync(`${process.argv[5]}.json`, "utf8"));
const requests = requested.map((each) => Buffer.from(bytesOf(each)));

const latencies: number[] = [];
const state = { due: 0, sent: 0, failed: 0, responses: 0 };
const waiting: number[] = [];
const idle: Connection[] = [];

/** Sends one request at a time. All measured servers send a Content-Length. */
class Connection {
  #dueAt = 0;
  #missing = 0;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#receive(chunk));
  }

  send(dueAt: number): void {
    this.#dueAt = dueAt;
    this.#socket.write(requests[state.sent++ % requests.length] ?? "");
  }

  #receive(chunk: Buffer): void {
    if (this.#missing === 0) this.#missing = lengthOfResponse(chunk);
    this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    state.responses += 1;
    if (this.#dueAt >= beginAt) latencies.push(performance.now() - this.#dueAt);
    const next = waiting.shift();
    if (next === undefined) idle.push(this);
    else this.send(next);
  }
}

/** Bytes of a response, computed from its head, which arrives in one piece. */
function lengthOfResponse(chunk: Buffer): number {
  const headEnd = chunk.indexOf("\r\n\r\n");
  const head = chunk.toString("latin1", 0, headEnd);
  if (!head.startsWith("HTTP/1.1 2")) state.failed += 1;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (headEnd === -1 || length === undefined) throw new Error(`a response without a length: ${head.slice(0, 200)}`);
  return headEnd + 4 + Number(length);
}

const opened = Array.from({ length: connections }, async () => {
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  idle.push(new Connection(socket));
});
await Promise.all(opened);

const startAt = performance.now();
const beginAt = startAt + warmUpSeconds * 1000;
const endAt = beginAt + seconds * 1000;

function tick(): void {
  const now = performance.now();
  for (;;) {
    const dueAt = startAt + (state.due * 1000) / rate;
    if (dueAt > now || dueAt > endAt) break;
    state.due += 1;
    const connection = idle.pop();
    if (connection === undefined) waiting.push(dueAt);
    else connection.send(dueAt);
  }
  if (now < endAt || (state.responses < state.due && now < endAt + 5000)) setImmediate(tick);
  else finish();
}

function finish(): void {
  const lost = state.due - state.responses;
  console.log(
    `result ${JSON.stringify({ requests: latencies.length, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), failed: state.failed + lost })}`,
  );
  process.exit(0);
}

tick();
