import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ExchangeQueue } from "./exchange-queue.ts";

/** An error response after which the connection ends. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly text: string;
  /** The Content-Type; plain text if omitted. */
  readonly contentType?: string | undefined;
}

/** Time for a client that is still sending to read the refusal. */
const leaveMs = 500;

/** A client connection with its pending requests. */
export class Connection {
  readonly exchanges: ExchangeQueue = new ExchangeQueue();
  readonly #socket: Socket;
  #newest: ServerResponse | undefined;
  #waiting = 0;
  #isRefused = false;
  #isOver = false;
  #isGivenUp = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether no request was received, or the connection is ending. */
  get isIdle(): boolean {
    return this.#newest === undefined || this.#isOver;
  }

  /** Whether further input is ignored. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether the body of a request is arriving. */
  get isBodyArriving(): boolean {
    return this.#newest !== undefined && !this.#newest.req.complete;
  }

  /** Registers a request; returns the number of requests without a response, including this one. */
  begin(outgoing: ServerResponse): number {
    if (this.#newest === undefined || this.#newest.writableFinished) this.#waiting = 0;
    else
      this.#newest.once("finish", () => {
        this.#waiting -= 1;
      });
    this.#newest = outgoing;
    this.#waiting += 1;
    return this.#waiting;
  }

  /** Responds to a request with a refusal, after earlier responses, and ends the connection. */
  refuseRequest(outgoing: ServerResponse, { status, text, contentType = textType }: Refusal): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    // Node would close both directions at once, so a client that is still sending would lose the response.
    this.#socket.destroySoon = () => this.#finish();
    outgoing.writeHead(status, ["Content-Type", contentType, "Connection", "close", "Content-Length", lengthOf(text)]);
    outgoing.end(text);
  }

  /** Sends a refusal of the latest input, after earlier responses, and ends the connection. */
  refuse(refusal: Refusal): void {
    if (this.#isRefused) return;
    const newest = this.#newest;
    if (newest !== undefined && !newest.req.complete && !newest.headersSent) {
      this.refuseRequest(newest, refusal);
      return;
    }
    this.#isRefused = true;
    const last = messageOf(refusal);
    if (newest === undefined || newest.writableFinished) this.#finish(last);
    else newest.once("finish", () => this.#finish(last));
  }

  /** Runs after the responses to all earlier requests; not at all if the connection ends before. */
  afterResponses(run: () => void): void {
    const newest = this.#newest;
    // A finished response may still own the socket, until Node has emitted its event.
    if (newest === undefined || (newest.writableFinished && newest.socket === null)) run();
    else newest.once("finish", () => setImmediate(run));
  }

  /** Ends the connection after earlier responses, and ignores further input. */
  end(): void {
    this.#isRefused = true;
    this.#socket.destroySoon = () => this.#finish();
    if (this.#newest === undefined || this.#newest.writableFinished) this.#finish();
    else this.#newest.once("finish", () => this.#finish());
  }

  /** Sends the last message and keeps reading for a while, so the client can receive it. */
  #finish(last = ""): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.end(last);
    this.giveUpSoon();
  }

  /** Destroys the connection after a delay. */
  giveUpSoon(): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    const socket = this.#socket;
    const deadline = setTimeout(() => socket.destroy(), leaveMs);
    socket.once("close", () => clearTimeout(deadline));
  }
}

const textType = "text/plain; charset=UTF-8";

function lengthOf(text: string): string {
  return String(Buffer.byteLength(text));
}

/** Renders a refusal as a complete message, for input that is not a request. */
function messageOf({ status, reason, text }: Refusal): string {
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    `Content-Type: ${textType}`,
    "Connection: close",
    `Content-Length: ${lengthOf(text)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}
