import { timingSafeEqual } from "node:crypto";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Answer, Handler } from "../http/handler.ts";
import type { Request } from "../http/request.ts";
import { packAnswer, packRequest, unpackAnswer, unpackRequest } from "./envelope.ts";
import { FrameReader, frameOf } from "./frames.ts";

// Workers ask each other over one connection for each pair, on which many requests are under way at once: over a connection
// of HTTP for each request that is under way, a request that is passed on would cost several times as much.

const host = "127.0.0.1";

/** Bytes of a message: a body of the largest size that the server takes, with its head. */
const messageBytesMax = 64 * 1024 * 1024;

/** As long as a stranger may take to say the secret. */
const strangerMs = 5000;

/** What is said instead of an answer by a worker that failed to make one. */
const failed = new Uint8Array();

export interface InnerServerSettings {
  /** Has to be said first: a port of this machine is open to all its users. */
  readonly secret: string;
  readonly handler: Handler;
  readonly onFault: (fault: unknown) => void;
}

export interface InnerServer {
  readonly port: number;
  /** Ends all connections; to be called when no request is under way. */
  close(): void;
}

/** Answers the other workers at a free port. */
export function answerWorkers(settings: InnerServerSettings): Promise<InnerServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    converse(socket, settings);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, () => {
      const address: AddressInfo | string | null = server.address();
      if (address === null || typeof address === "string") throw new Error("invariant: a listening server has a port");
      const close = (): void => {
        server.close();
        for (const socket of sockets) socket.destroy();
      };
      resolve({ port: address.port, close });
    });
  });
}

function converse(socket: Socket, { secret, handler, onFault }: InnerServerSettings): void {
  const secretBytes = Buffer.from(secret);
  let isKnown = false;
  const reader = new FrameReader((number, message) => {
    if (socket.destroyed) return;
    if (isKnown) {
      void answerOf(handler, message, onFault).then((answer) => socket.write(frameOf(number, answer)));
      return;
    }
    isKnown = message.length === secretBytes.length && timingSafeEqual(message, secretBytes);
    if (isKnown) socket.setTimeout(0);
    else socket.destroy();
  });
  const isAllowed = (bytes: number): boolean => bytes <= (isKnown ? messageBytesMax : secretBytes.length);
  socket.setTimeout(strangerMs, () => socket.destroy());
  socket.on("data", (piece) => {
    if (!reader.add(piece, isAllowed)) socket.destroy();
  });
}

async function answerOf(
  handler: Handler,
  message: Uint8Array,
  onFault: InnerServerSettings["onFault"],
): Promise<Uint8Array> {
  try {
    return packAnswer(await handler(unpackRequest(message)));
  } catch (fault) {
    onFault(fault);
    return failed;
  }
}

/** Connections to the other workers. */
export interface OtherWorkers {
  /** An answer may take as long as a plan delays it. Rejects where none comes. */
  ask(worker: number, request: Request): Promise<Answer>;
  close(): void;
}

/** Reaches each worker at its port, by its number; connections are made when they are needed, and kept. */
export function askWorkers(ports: ReadonlyMap<number, number>, secret: string): OtherWorkers {
  const ways = new Map<number, Way>();
  const wayTo = (worker: number): Way => {
    const known = ways.get(worker);
    if (known !== undefined) return known;
    const port = ports.get(worker);
    if (port === undefined) throw new Error(`invariant: there is a worker ${worker}`);
    const way = new Way(port, secret, () => ways.delete(worker));
    ways.set(worker, way);
    return way;
  };
  return {
    ask: (worker, request) => wayTo(worker).ask(request),
    close: () => {
      for (const way of ways.values()) way.close();
    },
  };
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A connection to another worker, with the requests that are under way on it. */
class Way {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;

  constructor(port: number, secret: string, onClose: () => void) {
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.write(frameOf(0, Buffer.from(secret)));
    const reader = new FrameReader((number, message) => this.#settle(number, message));
    this.#socket.on("data", (piece) => reader.add(piece, () => true));
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.once("close", () => {
      onClose();
      for (const { reject } of this.#waiting.values()) reject(new Error("the worker that owns the world has ended"));
    });
  }

  ask(request: Request): Promise<Answer> {
    this.#requests = (this.#requests + 1) % 2 ** 32;
    const number = this.#requests;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#socket.write(frameOf(number, packRequest(request)));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #settle(number: number, message: Uint8Array): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (message.length === failed.length) waiting?.reject(new Error("the worker that owns the world failed"));
    else waiting?.resolve(unpackAnswer(message));
  }
}
