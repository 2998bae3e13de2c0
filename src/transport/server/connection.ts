import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HeaderList } from "../../foundation/http/header.ts";
import { stubLimitHeader } from "../../foundation/http/stub-limit.ts";
import type { HeldBytes } from "../../foundation/limits/held-bytes.ts";
import { ConnectionQueue } from "./connection-queue.ts";
import type { BodyHolder } from "./read-body.ts";
import type { Turns } from "./turns.ts";

/** An error response after which the connection ends. */
export interface RequestRefusal {
  readonly status: number;
  readonly reason: string;
  readonly text: string;
  /** The name of the limit that the request exceeds. */
  readonly limit?: string | undefined;
  /** Headers without those of the server; plain text if omitted. */
  readonly headers?: HeaderList | undefined;
}

interface ConnectionOptions {
  /** The bytes held for all connections. */
  readonly held: HeldBytes;
  readonly turns: Turns;
  /** Time in which a client may read nothing of a response. */
  readonly responseTimeoutMs: number;
  /** Headers of every refusal. */
  readonly refusalHeaders: HeaderList;
}

/** Time for a client that is still sending to read the refusal, and for the responses to a client that sends no more. */
const leaveMs = 500;

/** With more requests that wait for a response, the connection is not read until few are left. */
const waitingReadMax = 16;

/** A client connection with its pending requests, and the bytes that they hold. */
export class Connection implements BodyHolder {
  readonly exchanges: ConnectionQueue;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #drops = new Set<() => void>();
  #heldBytes = 0;
  #newest: ServerResponse | undefined;
  #waiting = 0;
  #isPaused = false;
  #isRefused = false;
  #isOver = false;
  #isGivenUp = false;
  #isClosed = false;
  #waiter: AbortController | undefined;
  #isHurried = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.exchanges = new ConnectionQueue(options.turns);
    socket.once("end", () => this.#endInput());
    socket.once("close", () => this.#close());
  }

  /** Aborted when the connection ends, or `hurry` is called: a delayed response has no reason to wait any longer. */
  get signal(): AbortSignal {
    this.#waiter ??= new AbortController();
    if (this.#isHurried || this.#isClosed) this.#waiter.abort();
    return this.#waiter.signal;
  }

  /** Ends the waits of delayed responses, also of later ones. */
  hurry(): void {
    this.#isHurried = true;
    this.#waiter?.abort();
  }

  /** Whether no request was received, or the connection is ending. */
  get isIdle(): boolean {
    return this.#newest === undefined || this.#isOver;
  }

  /** Whether every request has its response. */
  get isAnswered(): boolean {
    const newest = this.#newest;
    // A finished response may still own the socket, until Node has emitted its event.
    return newest === undefined || (newest.writableFinished && newest.socket === null);
  }

  /** Whether further input is ignored. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether the body of a request is arriving. */
  get isBodyArriving(): boolean {
    return this.#newest !== undefined && !this.#newest.req.complete;
  }

  /** Whether no later request was received. */
  isNewest(outgoing: ServerResponse): boolean {
    return this.#newest === outgoing;
  }

  /** Registers a request; returns the number of requests without a response, including this one. */
  begin(outgoing: ServerResponse): number {
    if (this.#newest === undefined || this.#newest.writableFinished) this.#waiting = 0;
    else this.#newest.once("finish", () => this.#finishOne());
    this.#newest = outgoing;
    this.#waiting += 1;
    if (this.#waiting > waitingReadMax) {
      this.#isPaused = true;
      this.#socket.pause();
    }
    return this.#waiting;
  }

  #finishOne(): void {
    this.#waiting -= 1;
    if (!this.#isPaused || this.#waiting > waitingReadMax / 2) return;
    this.#isPaused = false;
    this.#socket.resume();
  }

  /** Takes bytes from the budget of all connections, at most until this one ends. */
  reserve(bytes: number): boolean {
    if (this.#isClosed || !this.#options.held.reserve(bytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    if (this.#isClosed) return;
    this.#heldBytes -= bytes;
    this.#options.held.release(bytes);
  }

  /** Takes bytes for a request until it has its response. */
  reserveFor(outgoing: ServerResponse, bytes: number): boolean {
    if (!this.reserve(bytes)) return false;
    outgoing.once("finish", () => this.release(bytes));
    return true;
  }

  onClose(drop: () => void): void {
    this.#drops.add(drop);
  }

  offClose(drop: () => void): void {
    this.#drops.delete(drop);
  }

  /** Counts the unsent bytes of a response, and those not yet written, until they are sent. Resolves then, or when the connection ends. */
  sent(outgoing: ServerResponse, pacedBytes = 0): Promise<void> {
    const { held, responseTimeoutMs } = this.#options;
    if (this.#isClosed) return Promise.resolve();
    const bytes = outgoing.writableLength + pacedBytes;
    held.add(bytes);
    this.#heldBytes += bytes;
    // Node replaces this timeout after the response.
    if (outgoing.socket !== null) this.#socket.setTimeout(responseTimeoutMs);
    else outgoing.once("socket", () => this.#socket.setTimeout(responseTimeoutMs));
    return new Promise((resolve) => {
      outgoing.once("close", () => {
        this.release(bytes);
        resolve();
      });
    });
  }

  /** Responds to a request with a refusal, after earlier responses, and ends the connection. */
  refuseRequest(outgoing: ServerResponse, refusal: RequestRefusal): void {
    if (this.#isRefused) return;
    this.ignoreInput();
    // Node would close both directions at once, so a client that is still sending would lose the response.
    this.#socket.destroySoon = () => this.#finish();
    outgoing.writeHead(refusal.status, headersOf(refusal, this.#options.refusalHeaders).flat());
    outgoing.end(refusal.text);
  }

  /** Sends a refusal of the latest input, after earlier responses, and ends the connection. */
  refuse(refusal: RequestRefusal): void {
    if (this.#isRefused) return;
    const newest = this.#newest;
    if (newest !== undefined && !newest.req.complete && !newest.headersSent) {
      this.refuseRequest(newest, refusal);
      return;
    }
    this.ignoreInput();
    const last = messageOf(refusal, this.#options.refusalHeaders);
    // Node ends the socket after the last response to a client that sends no more.
    this.#socket.destroySoon = () => this.#finish(last);
    if (newest === undefined || newest.writableFinished) this.#finish(last);
    else newest.once("finish", () => this.#finish(last));
  }

  /** Runs after the responses to all earlier requests; not at all if the connection ends before. Until then nothing is read. */
  afterResponses(run: () => void): void {
    this.#isPaused = false;
    if (this.isAnswered) run();
    // The next request may begin once Node has released the socket from this response.
    else this.#newest?.once("finish", () => setImmediate(run));
  }

  /** Ends the connection after earlier responses, and ignores further input. */
  end(): void {
    this.ignoreInput();
    this.#socket.destroySoon = () => this.#finish();
    if (this.#newest === undefined || this.#newest.writableFinished) this.#finish();
    else this.#newest.once("finish", () => this.#finish());
  }

  /** Serves no further request. Reads on without a parser, to notice when the client closes the connection. */
  ignoreInput(): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#isPaused = false;
    // The parser may be running now.
    setImmediate(() => {
      this.#socket.removeAllListeners("data").on("data", () => undefined);
      this.#socket.resume();
    });
  }

  /** Serves no further request, not even those that wait. */
  endRequests(): void {
    this.exchanges.forget();
    this.#dropBodies();
    this.ignoreInput();
  }

  /** Sends the last message and keeps reading for a while, so the client can receive it. */
  #finish(last = ""): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.end(last);
    this.giveUpSoon();
  }

  /** The client has sent everything, or is gone: waits a while for responses, but not for one that is still being read. */
  #endInput(): void {
    const deadline = setTimeout(() => {
      if (this.#newest?.writableEnded === false) this.#socket.destroy();
    }, leaveMs);
    this.#socket.once("close", () => clearTimeout(deadline));
  }

  /** Destroys the connection after a delay. */
  giveUpSoon(): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    const socket = this.#socket;
    const deadline = setTimeout(() => socket.destroy(), leaveMs);
    socket.once("close", () => clearTimeout(deadline));
  }

  /** Frees the bodies of requests that arrive or wait. */
  #dropBodies(): void {
    for (const drop of this.#drops) drop();
    this.#drops.clear();
  }

  #close(): void {
    this.exchanges.forget();
    this.#dropBodies();
    this.release(this.#heldBytes);
    this.#isClosed = true;
    this.#waiter?.abort();
  }
}

const textHeaders: HeaderList = [["Content-Type", "text/plain; charset=UTF-8"]];

/** All headers of a refusal. A client may repeat a request that was refused because others are in progress. */
function headersOf({ status, text, limit, headers }: RequestRefusal, more: HeaderList): HeaderList {
  const length = String(Buffer.byteLength(text));
  const retry: HeaderList = status === 503 ? [["Retry-After", "1"]] : [];
  return [
    ...(headers ?? [...textHeaders, ["Understudy-Reason", text]]),
    ...(limit === undefined ? [] : [stubLimitHeader(limit)]),
    ["Connection", "close"],
    ["Content-Length", length],
    ...retry,
    ...more,
  ];
}

/** Renders a refusal as a complete message, for input that is not a request. */
function messageOf(refusal: RequestRefusal, more: HeaderList): string {
  const fields = headersOf(refusal, more).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${refusal.status} ${refusal.reason}`, ...fields].join("\r\n")}\r\n\r\n${refusal.text}`;
}
