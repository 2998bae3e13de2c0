import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Body, emptyBody } from "../../foundation/http/body.ts";
import { headWithoutUpgrade } from "../../foundation/http/head-without-upgrade.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { RenderRefusal } from "../../foundation/http/refused-request.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { Connection, type Refusal } from "./connection.ts";
import { beyond, expectationRefused, headOf, methodRefused, refusalOf, refusalOfError } from "./refusals.ts";
import { failPlainly, preflight, ResponseSender, type ServedResponse } from "./response-sender.ts";

export interface ServerOptions {
  readonly handler: (request: Request) => ServedResponse | Promise<ServedResponse>;
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
  /** Called with an internal error; the client gets a plain 500. */
  readonly onFault: (fault: unknown) => void;
  /** Called when a connection is refused because of the limit. */
  readonly onCrowded?: () => void;
  /** Called when the system cannot accept a connection; the server continues. */
  readonly onUnaccepted?: (error: Error) => void;
}

/** Certificate and private key in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const closeGraceMsDefault = 5000;

/** A listening server; `close` refuses new connections and waits for the requests in flight. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Maximum number of simultaneous connections beyond the limit that get a 503; further ones are closed without a response. */
export const refusedConnectionsMax = 64;

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

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? new CountedLimits();
    this.#sender = new ResponseSender({ isCorsAllowed: options.isCorsAllowed, limits: this.#limits });
    this.#server = serverOf(options.tls, this.#limits, (incoming, outgoing) => this.#receive(incoming, outgoing));
    this.#limits.watch("connectionsMax", () => this.#connections.size);
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
   * Completes requests in flight and waits a while for arriving ones. Idle connections may stay open for `idleGraceMs`, so
   * that a request in transit still gets its response. All other connections end at once.
   */
  #close(): Promise<void> {
    const { closeGraceMs = closeGraceMsDefault, idleGraceMs = 0 } = this.#options;
    const server = this.#server;
    this.#sender.beginClosing();
    return new Promise((resolve) => {
      const grace = setTimeout(() => server.closeAllConnections(), closeGraceMs);
      // The close method of an HTTP server would end idle connections at once.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(grace);
        resolve();
      });
      if (idleGraceMs === 0) this.#endIdle();
      // Timers run before input is read, and setImmediate runs after it.
      else setTimeout(setImmediate, idleGraceMs, () => this.#endIdle());
    });
  }

  #endIdle(): void {
    this.#server.close();
    this.#sender.endSilent();
    for (const [socket, { isIdle }] of this.#connections) if (isIdle) socket.destroy();
  }

  #observe(): void {
    const { onCrowded } = this.#options;
    const server = this.#server;
    server.on("drop", () => {
      this.#limits.exceed("connectionsMax");
      onCrowded?.();
    });
    server.on(this.#connectionEvent, (socket: Socket) => this.#accept(socket));
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
    server.on("upgrade", (incoming, socket, rest) => this.#ignoreUpgrade(incoming, socket, rest));
    server.on("clientError", (error, socket) => this.#fail(error, socket));
  }

  /**
   * Serves a request with `Upgrade` as plain HTTP (RFC 9110 §7.8). Node's parser ends at its head and would lose the bytes
   * behind it, so a new parser reads the request without the header and the rest, after the earlier responses.
   */
  #ignoreUpgrade(incoming: IncomingMessage, socket: Duplex, rest: Buffer): void {
    const connection = this.#connections.get(socket);
    // Node removes its listeners from the socket here.
    const destroy = () => socket.destroy();
    socket.on("error", destroy);
    if (connection === undefined || connection.isRefused) {
      socket.resume();
      return;
    }
    connection.afterResponses(() => {
      if (socket.destroyed) return;
      socket.off("error", destroy);
      socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(incoming), "latin1"), rest]));
      this.#server.emit(this.#connectionEvent, socket);
    });
  }

  get #connectionEvent(): "connection" | "secureConnection" {
    return this.#options.tls === undefined ? "connection" : "secureConnection";
  }

  #accept(socket: Socket): void {
    if (this.#connections.has(socket)) return;
    const connection = new Connection(socket);
    const isTooMany = this.#connections.size >= this.#limits.values.connectionsMax;
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      this.#connections.delete(socket);
      connection.exchanges.forget();
    });
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
      const refusal = refusalOfError(error, connection.isBodyArriving, this.#limits);
      if (refusal === undefined) connection.end();
      else connection.refuse(refusal);
    }
  }

  #receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const connection = this.#connections.get(incoming.socket);
    if (connection === undefined || connection.isRefused) return;
    const waiting = connection.begin(outgoing);
    const head = headOf(incoming.rawHeaders);
    const refusal = refusalOf(incoming, head, waiting, this.#limits);
    if (refusal !== undefined) {
      incoming.on("error", () => undefined).resume();
      this.#refuse(connection, outgoing, refusal);
      return;
    }
    const { headers } = head;
    // A message has a body if it has Content-Length or Transfer-Encoding (RFC 9112 §6).
    if (head.bodyLength === undefined && head.encoding === undefined) {
      connection.exchanges.follow(() => this.#respond(outgoing, requestOf(incoming, headers, emptyBody)));
      return;
    }
    if (incoming.headers.expect !== undefined) sendContinue(outgoing);
    const whenComplete = connection.exchanges.await();
    readBody(incoming, this.#limits.values.bodyBytesMax, (bytes) => {
      if (bytes === "too-large") this.#refuse(connection, outgoing, beyond(this.#limits, "bodyBytesMax"));
      else whenComplete(() => this.#respond(outgoing, requestOf(incoming, headers, bodyOf(bytes))));
    });
  }

  /** Refuses a request whose head is known, in the format of the served API. */
  #refuse(connection: Connection, outgoing: ServerResponse, refusal: Refusal): void {
    const { status, text } = refusal;
    const { method, target, headers } = requestOf(outgoing.req, headOf(outgoing.req.rawHeaders).headers, emptyBody);
    const rendered = this.#options.renderRefusal?.({ method, target, headers, status, reason: text });
    connection.refuseRequest(outgoing, rendered === undefined ? refusal : refusalFrom(rendered, refusal));
  }

  /** Sends a synchronous response within the same event, since a promise costs as much as a lookup. */
  #respond(outgoing: ServerResponse, request: Request): Promise<void> | undefined {
    const { handler, isCorsAllowed } = this.#options;
    try {
      const response = isCorsAllowed && request.method === "OPTIONS" ? preflight() : handler(request);
      if (response instanceof Promise)
        return response
          .then((known) => this.#sender.send(outgoing, known))
          .catch((fault: unknown) => this.#failPlainly(outgoing, fault));
      this.#sender.send(outgoing, response);
    } catch (fault) {
      this.#failPlainly(outgoing, fault);
    }
    return undefined;
  }

  #failPlainly(outgoing: ServerResponse, fault: unknown): void {
    this.#options.onFault(fault);
    failPlainly(outgoing);
  }
}

function serverOf(tls: TlsFiles | undefined, limits: CountedLimits, listener: RequestListener): Server {
  const { connectionsMax, headBytesMax, headTimeoutMs, requestTimeoutMs, idleTimeoutMs } = limits.values;
  const options = {
    // Saves an event per request without a body; older Node versions ignore the option.
    optimizeEmptyRequests: true,
    // This server checks the Host header itself and explains refusals.
    requireHostHeader: false,
    maxHeaderSize: headBytesMax + 1,
    headersTimeout: headTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, headTimeoutMs / 4),
  };
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createSecureServer({ ...options, ...tls, handshakeTimeout: headTimeoutMs }, listener);
  // Node would silently drop headers beyond its maximum.
  server.maxHeadersCount = 0;
  const refusedMax = tls === undefined ? Math.min(refusedConnectionsMax, connectionsMax) : 0;
  server.maxConnections = connectionsMax + refusedMax;
  return server;
}

/** Sends `100 Continue`, but not before earlier responses: Node would write it into them. */
function sendContinue(outgoing: ServerResponse): void {
  if (outgoing.socket !== null) outgoing.writeContinue();
  else
    outgoing.once("socket", () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
}

function refusalFrom({ status, headers, body }: Response, { reason }: Refusal): Refusal {
  return { status, reason, text: body.text(), contentType: headerValues(headers, "content-type")[0] };
}

function requestOf({ method = "GET", url = "/" }: IncomingMessage, headers: HeaderList, body: Body): Request {
  return { method, target: url, headers, body };
}

const byteOrderMark = 0xef;

/** Keeps the body as text if possible, which is smaller than bytes. A byte order mark is kept as bytes, since decoding drops it. */
function bodyOf(bytes: Uint8Array): Body {
  if (bytes.length === 0) return emptyBody;
  const isText = bytes[0] !== byteOrderMark && isUtf8(bytes);
  // The chunk is part of a larger buffer; a copy releases that buffer.
  return new Body(isText ? decoder.decode(bytes) : Uint8Array.from(bytes));
}

const decoder = new TextDecoder();

/** Calls `take` once with the complete body or "too-large"; not at all if the client aborts. */
function readBody(incoming: IncomingMessage, bytesMax: number, take: (body: Uint8Array | "too-large") => void): void {
  const chunks: Uint8Array[] = [];
  let length = 0;
  incoming.on("data", (chunk: Uint8Array) => {
    if (length > bytesMax) return;
    length += chunk.length;
    if (length <= bytesMax) chunks.push(chunk);
    else {
      chunks.length = 0;
      take("too-large");
    }
  });
  incoming.on("end", () => {
    if (length <= bytesMax) take(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
  });
  // Without a listener, a client error would end the process.
  incoming.on("error", () => undefined);
}
