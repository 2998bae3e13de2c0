import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Body, emptyBody } from "../../foundation/http/body.ts";
import type { ServedHandler, ServedResponse } from "../../foundation/http/handler.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { StreamOpener } from "../../foundation/http/message-stream.ts";
import type { RenderRefusal } from "../../foundation/http/refused-request.ts";
import type { Request } from "../../foundation/http/request.ts";
import { withoutOrigin } from "../../foundation/http/request-target.ts";
import type { Response } from "../../foundation/http/response.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { HeldBytes } from "../../foundation/limits/held-bytes.ts";
import { afterAccepting } from "./after-accepting.ts";
import { Connection, type RequestRefusal } from "./connection.ts";
import type { QueuedRequest } from "./connection-queue.ts";
import { foreignInputs } from "./foreign-input.ts";
import { serverOf, type TlsFiles } from "./node-server.ts";
import { readBody } from "./read-body.ts";
import { RecentHeads } from "./recent-heads.ts";
import { beyond, expectationRefused, type Head, methodRefused, refusalOf, refusalOfError } from "./refusals.ts";
import {
  corsHeaders,
  isLastOfConnection,
  isOfServer,
  pacedBytes,
  preflight,
  ResponseSender,
  sendContinue,
} from "./response-sender.ts";
import type { Wait } from "./transmitter.ts";
import { Turns } from "./turns.ts";
import { Upgrades, unreadAsPlainHttp } from "./upgrades.ts";

export interface ServerOptions {
  readonly handler: ServedHandler;
  /** Opens streams over WebSockets; without it, a request for one is served as plain HTTP. */
  readonly openStream?: StreamOpener | undefined;
  /** Renders a refusal of a request; plain text if omitted. */
  readonly renderRefusal?: RenderRefusal | undefined;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Limits and their counters; defaults if omitted. */
  readonly limits?: CountedLimits | undefined;
  /** Handles preflight requests and allows every origin to read, without credentials. */
  readonly isCorsAllowed: boolean;
  /** Serves https if given. */
  readonly tls?: TlsFiles | undefined;
  /** How long `close` waits for requests that are still arriving; then their connections end. */
  readonly closeGraceMs?: number;
  /** How long `close` keeps idle connections open; default 0. */
  readonly idleGraceMs?: number;
  /** Waits in real time, for network faults; default setTimeout. */
  readonly wait?: Wait;
  /** Called with an internal error; the client gets a plain 500. */
  readonly onFault: (fault: unknown) => void;
  /** Called once with the refusal of each other protocol that a client speaks: it may not show a response of HTTP/1.1. */
  readonly onOtherProtocol?: (text: string) => void;
  /** Called when a connection is refused because of the limit. */
  readonly onCrowded?: () => void;
  /** Called when the system cannot accept a connection; the server continues. */
  readonly onUnaccepted?: (error: Error) => void;
}

const closeGraceMsDefault = 5000;

/** A listening server; `close` refuses new connections and waits for the requests in flight. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a handler over HTTP. Rejects with the system's error, for example if the port is in use. */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  return new HttpServer(options).listen();
}

class HttpServer {
  readonly #options: ServerOptions;
  readonly #limits: CountedLimits;
  readonly #server: Server;
  readonly #sender: ResponseSender;
  readonly #connections = new Map<Duplex, Connection>();
  /** With TLS, also sockets without a finished handshake. */
  readonly #sockets = new Set<Socket>();
  readonly #turns = new Turns({ later: setImmediate, nowMs: performance.now.bind(performance) });
  readonly #held: HeldBytes;
  readonly #heads = new RecentHeads();
  readonly #upgrades: Upgrades;
  readonly #foreign: ReturnType<typeof foreignInputs>;
  #isClosing = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? new CountedLimits();
    this.#held = new HeldBytes(this.#limits.values.bufferedBytesMax);
    this.#foreign = foreignInputs(options.onOtherProtocol);
    this.#upgrades = new Upgrades(options.openStream, this.#limits, options.onFault);
    this.#sender = new ResponseSender({ ...options, limits: this.#limits });
    this.#server = serverOf(options.tls, this.#limits, (incoming, outgoing) => this.#receive(incoming, outgoing));
    this.#limits.watch("connectionsMax", () => this.#connections.size);
    this.#limits.watch("bufferedBytesMax", () => this.#held.bytes);
    this.#observe();
  }

  listen(): Promise<RunningServer> {
    const { host, port, onUnaccepted } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject);
        this.#server.on("error", (error) => onUnaccepted?.(error));
        resolve({ url: this.#url(), close: () => this.#close() });
      });
    });
  }

  #url(): string {
    const { host, tls } = this.#options;
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("invariant: a listening server has a port");
    const shownHost = host.includes(":") ? `[${host}]` : host;
    return `${tls === undefined ? "http" : "https"}://${shownHost}:${address.port}`;
  }

  /**
   * Completes requests in flight. With `idleGraceMs` it accepts waiting connections, and keeps idle ones open for this time
   * for requests in transit; before it refuses connections, it ends none. The rest ends after `closeGraceMs`.
   */
  #close(): Promise<void> {
    const { closeGraceMs = closeGraceMsDefault, idleGraceMs = 0 } = this.#options;
    const grace = setTimeout(() => this.#endAll(), closeGraceMs);
    const closed = Promise.withResolvers<void>();
    const refuse = () => {
      this.#isClosing = true;
      this.#sender.hurry();
      for (const connection of this.#connections.values()) connection.hurry();
      // The close method of an HTTP server would end idle connections at once.
      NetServer.prototype.close.call(this.#server, () => closed.resolve());
      if (idleGraceMs === 0) this.#endIdle();
      // Timers run before input is read, and setImmediate runs after it.
      else setTimeout(setImmediate, idleGraceMs, () => this.#endIdle());
    };
    if (idleGraceMs === 0) refuse();
    else afterAccepting(this.#server, idleGraceMs, refuse);
    return closed.promise.finally(() => clearTimeout(grace));
  }

  #endIdle(): void {
    this.#server.close();
    this.#sender.endSilent();
    for (const [socket, { isIdle }] of this.#connections) if (isIdle) socket.destroy();
  }

  #endAll(): void {
    for (const socket of [...this.#connections.keys(), ...this.#sockets]) socket.destroy();
  }

  #observe(): void {
    const { onCrowded } = this.#options;
    const server = this.#server;
    server.on("drop", () => {
      this.#limits.exceed("connectionsMax");
      onCrowded?.();
    });
    server.on("connection", (socket: Socket) => this.#track(socket));
    server.on(this.#connectionEvent, (socket: Socket) => this.#accept(socket));
    server.on("timeout", (socket: Socket) => this.#timeOut(socket));
    server.on("checkContinue", (incoming, outgoing) => this.#receive(incoming, outgoing));
    server.on("checkExpectation", (incoming, outgoing) => {
      const connection = this.#connections.get(incoming.socket);
      this.#limits.noteMalformed();
      connection?.begin(outgoing);
      connection?.refuseRequest(outgoing, expectationRefused);
    });
    server.on("connect", (_incoming, socket) => {
      // Node removes its listeners from the socket here.
      socket.on("error", () => socket.destroy()).resume();
      this.#limits.noteMalformed();
      this.#connections.get(socket)?.refuse(methodRefused);
    });
    server.on("upgrade", (...request) => this.#upgrades.accept(...request, () => this.#ignoreUpgrade(...request)));
    // Node has ended the connection.
    server.on("tlsClientError", (error: Error) => this.#foreign(error));
    server.on("clientError", (error, socket) => this.#fail(error, socket));
  }

  /** Serves a request with `Upgrade` as plain HTTP, after the earlier responses. */
  #ignoreUpgrade(incoming: IncomingMessage, socket: Duplex, rest: Buffer): void {
    const connection = this.#connections.get(socket);
    // Node removes its listeners from the socket here.
    const destroy = () => socket.destroy();
    socket.on("error", destroy);
    if (connection === undefined || connection.isRefused) {
      socket.resume();
      return;
    }
    unreadAsPlainHttp(incoming, socket, rest);
    connection.afterResponses(() => {
      if (socket.destroyed) return;
      socket.off("error", destroy);
      this.#server.emit(this.#connectionEvent, socket);
    });
  }

  get #connectionEvent(): "connection" | "secureConnection" {
    return this.#options.tls === undefined ? "connection" : "secureConnection";
  }

  #track(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
  }

  /** Ends a connection that is idle, or whose client does not read. */
  #timeOut(socket: Socket): void {
    const isUnread = socket.writableLength > 0;
    if (isUnread) this.#limits.exceed("responseTimeoutMs");
    if (isUnread || this.#connections.get(socket)?.isAnswered !== false) socket.destroy();
  }

  #accept(socket: Socket): void {
    if (this.#connections.has(socket)) return;
    const connection = new Connection(socket, {
      held: this.#held,
      turns: this.#turns,
      responseTimeoutMs: this.#limits.values.responseTimeoutMs,
      refusalHeaders: corsHeaders(this.#options.isCorsAllowed),
    });
    const isTooMany = this.#connections.size >= this.#limits.values.connectionsMax;
    this.#connections.set(socket, connection);
    if (this.#isClosing) connection.hurry();
    socket.once("close", () => this.#connections.delete(socket));
    if (!isTooMany) return;
    connection.refuse(beyond(this.#limits, "connectionsMax"));
    this.#options.onCrowded?.();
  }

  /** Handles input that is not HTTP, and timeouts. */
  #fail(error: Error, socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) socket.destroy();
    else if (!socket.writable) socket.destroy(error);
    else {
      // A pending response or an event stream would keep a connection that its client has closed.
      if ("readableEnded" in socket && socket.readableEnded) connection.giveUpSoon();
      if (connection.isRefused) return;
      const refusal = refusalOfError(error, connection.isBodyArriving, this.#limits, this.#foreign(error));
      if (refusal === undefined) connection.end();
      else connection.refuse(refusal);
    }
  }

  #receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const connection = this.#connections.get(incoming.socket);
    if (connection === undefined || connection.isRefused) {
      discard(incoming);
      return;
    }
    const waiting = connection.begin(outgoing);
    const head = this.#heads.of(incoming.rawHeaders);
    const exchange = { connection, incoming, outgoing, headers: head.headers };
    const refusal =
      refusalOf(incoming, head, waiting, this.#limits) ??
      (waiting > 1 && !connection.reserveFor(outgoing, waitingBytes(head))
        ? beyond(this.#limits, "bufferedBytesMax")
        : undefined);
    if (refusal !== undefined) {
      discard(incoming);
      this.#refuse(exchange, refusal);
      return;
    }
    const arrival = waiting > 1 ? "pipelined" : "alone";
    // A message has a body if it has Content-Length or Transfer-Encoding (RFC 9112 §6).
    if (head.bodyLength !== undefined || head.encoding !== undefined) this.#receiveBody(exchange, head, arrival);
    else connection.exchanges.follow(() => this.#respond(exchange, requestOf(exchange, emptyBody)), arrival);
  }

  #receiveBody(exchange: ServedExchange, { bodyLength }: Head, arrival: QueuedRequest): void {
    const { connection, incoming, outgoing, headers } = exchange;
    const { bodyBytesMax, headersMax } = this.#limits.values;
    if (incoming.headers.expect !== undefined) sendContinue(outgoing);
    const awaited = connection.exchanges.await(arrival);
    const refuse = (limit: "bodyBytesMax" | "bufferedBytesMax" | "headersMax") =>
      this.#refuse(exchange, beyond(this.#limits, limit));
    readBody(incoming, {
      length: bodyLength,
      bytesMax: bodyBytesMax,
      holder: connection,
      isUsedAtOnce: awaited.isNext,
      onRefused: refuse,
      onBody: (body) => {
        // The last bytes may arrive in the turn of the event loop in which the request timed out.
        if (outgoing.headersSent) body.drop();
        else if (headers.length + incoming.rawTrailers.length / 2 > headersMax) {
          body.drop();
          refuse("headersMax");
        } else awaited.complete(() => this.#respond(exchange, requestOf(exchange, body.take())));
      },
    });
  }

  /** Refuses a request whose head is known, in the format of the served API. */
  #refuse(exchange: ServedExchange, refusal: RequestRefusal): void {
    const { connection, outgoing } = exchange;
    const { method, target, headers } = requestOf(exchange, emptyBody);
    const rendered = this.#options.renderRefusal?.({
      method,
      target,
      headers,
      status: refusal.status,
      reason: refusal.text,
    });
    connection.refuseRequest(outgoing, rendered === undefined ? refusal : refusalFrom(rendered, refusal));
  }

  /** Sends a synchronous response within the same event, since a promise costs as much as a lookup. */
  #respond(exchange: ServedExchange, request: Request): Promise<void> | undefined {
    const { handler, isCorsAllowed } = this.#options;
    const { connection } = exchange;
    if (this.#held.isExceeded && !connection.isRefused) {
      this.#refuse(exchange, beyond(this.#limits, "bufferedBytesMax"));
      connection.endRequests();
      return undefined;
    }
    try {
      const response =
        isCorsAllowed && request.method === "OPTIONS" ? preflight(request) : handler(request, connection);
      if (response instanceof Promise) return this.#respondLater(exchange, request, response);
      return this.#send(exchange, response);
    } catch (fault) {
      return this.#failPlainly(exchange, fault);
    }
  }

  async #respondLater(exchange: ServedExchange, { body }: Request, response: Promise<ServedResponse>): Promise<void> {
    const bytes = body.storedLength;
    this.#held.add(bytes);
    try {
      const received = await response.finally(() => this.#held.release(bytes));
      await this.#send(exchange, received);
    } catch (fault) {
      await this.#failPlainly(exchange, fault);
    }
  }

  /** Sends a response; the promise resolves when the client has read it. */
  #send({ connection, outgoing }: ServedExchange, response: ServedResponse): Promise<void> | undefined {
    // No request behind this one would get a response.
    if (isLastOfConnection(response)) connection.endRequests();
    const paced = pacedBytes(response);
    // The server may begin to close after the head is sent.
    if (paced !== undefined)
      outgoing.once("finish", () => {
        if (this.#isClosing && connection.isNewest(outgoing)) connection.end();
      });
    this.#sender.send(outgoing, response, this.#isClosing && connection.isNewest(outgoing));
    return isSent(outgoing) ? undefined : connection.sent(outgoing, paced);
  }

  #failPlainly({ connection, outgoing }: ServedExchange, fault: unknown): Promise<void> | undefined {
    this.#options.onFault(fault);
    this.#sender.sendFault(outgoing);
    return isSent(outgoing) ? undefined : connection.sent(outgoing);
  }
}

/** A request and its response on a connection. */
interface ServedExchange {
  readonly connection: Connection;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly headers: HeaderList;
}

/** Whether the system has taken the whole response. Node emits its event later. */
function isSent({ writableEnded, writableLength }: ServerResponse): boolean {
  return writableEnded && writableLength === 0;
}

/** Reads a message to its end and ignores it. */
function discard(incoming: IncomingMessage): void {
  incoming.on("error", () => undefined).resume();
}

/** The approximate memory of a request that waits for its turn, besides its body. */
function waitingBytes({ headers }: Head): number {
  return 4096 + 256 * headers.length;
}

function refusalFrom({ status, headers, body }: Response, { reason, limit }: RequestRefusal): RequestRefusal {
  return { status, reason, limit, text: body.text(), headers: headers.filter(([name]) => !isOfServer(name, true)) };
}

function requestOf({ incoming: { method = "GET", url = "/" }, headers }: ServedExchange, body: Body): Request {
  return { method, target: withoutOrigin(url), headers, body };
}
