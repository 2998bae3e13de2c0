import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { InOrder } from "./in-order.ts";

/** Why nothing more is answered on a connection. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly text: string;
}

/** How long a client that is still sending may take to read why it was refused. */
const leaveMs = 500;

/** A client's connection, with what has come on it and is not answered yet. */
export class Connection {
  readonly inOrder: InOrder = new InOrder();
  readonly #socket: Socket;
  #newest: ServerResponse | undefined;
  #waiting = 0;
  #isRefused = false;
  #isOver = false;
  #isGivenUp = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether no request has come on it, or its last word is said. */
  get isIdle(): boolean {
    return this.#newest === undefined || this.#isOver;
  }

  /** Whether what comes on it is not to be looked at. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether it is a body that is awaited, and not a head. */
  get isBodyArriving(): boolean {
    return this.#newest !== undefined && !this.#newest.req.complete;
  }

  /** Notes a request that has come; how many have no response yet, this one among them. Costs next to nothing where none waits. */
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

  /** Answers a request with what is wrong, behind the responses that are due before, and ends the connection. */
  refuseRequest(outgoing: ServerResponse, { status, text }: Refusal): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    // Node would end both directions at once, and a client that is still sending would lose the response.
    this.#socket.destroySoon = () => this.#leave();
    outgoing.writeHead(status, ["Content-Type", textType, "Connection", "close", "Content-Length", lengthOf(text)]);
    outgoing.end(text);
  }

  /** Says what is wrong with what came last, behind the responses that are due, and ends the connection. */
  refuse(refusal: Refusal): void {
    if (this.#isRefused) return;
    const newest = this.#newest;
    if (newest !== undefined && !newest.req.complete && !newest.headersSent) {
      this.refuseRequest(newest, refusal);
      return;
    }
    this.#isRefused = true;
    const last = messageOf(refusal);
    if (newest === undefined || newest.writableFinished) this.#leave(last);
    else newest.once("finish", () => this.#leave(last));
  }

  /** Ends the connection behind the responses that are due, since nothing that comes on it counts any more. */
  end(): void {
    this.#isRefused = true;
    this.#socket.destroySoon = () => this.#leave();
    if (this.#newest === undefined || this.#newest.writableFinished) this.#leave();
    else this.#newest.once("finish", () => this.#leave());
  }

  /** Says the last word, and listens a while to a client that does not hear it at once. */
  #leave(last = ""): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.end(last);
    this.giveUpSoon();
  }

  /** Ends the connection in a while, whatever is still due on it. */
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

/** A refusal as a whole message, where there is no request that it could answer. */
function messageOf({ status, reason, text }: Refusal): string {
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    `Content-Type: ${textType}`,
    "Connection: close",
    `Content-Length: ${lengthOf(text)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}
