import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { Connection } from "./connection.ts";
import { beyond, expectationRefused, headOf, methodRefused, refusalOf, refusalOfError } from "./refusals.ts";
import { failPlainly, preflight, type ResponseContext, type ServedResponse, sendResponse } from "./send-response.ts";

export interface ServerOptions {
  readonly handler: (request: Request) => ServedResponse | Promise<ServedResponse>;
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

/** Serves a handler over HTTP. Rejects with the system's error, for example if the port is in use. */
export function startServer(given: ServerOptions): Promise<RunningServer> {
  const settings: Options = { ...given, limits: given.limits ?? new CountedLimits() };
  const open: Open = { connections: new Map(), silent: new Set(), isClosing: false };
  const server = serverOf(settings, open);
  settings.limits.watch("connectionsMax", () => open.connections.size);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, () => {
      server.off("error", reject);
      server.on("error", (error) => settings.onUnaccepted?.(error));
      resolve(runningServer(server, settings, open));
    });
  });
}

type Options = ServerOptions & { readonly limits: CountedLimits };

/** Open connections, and responses that never complete on purpose, which `close` does not wait for. */
interface Open {
  readonly connections: Map<Duplex, Connection>;
  readonly silent: Set<ServerResponse>;
  isClosing: boolean;
}

/** Maximum number of simultaneous connections beyond the limit that get a 503; further ones are closed without a response. */
export const refusedConnectionsMax = 64;

function serverOf(settings: Options, open: Open): Server {
  const { limits, tls } = settings;
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
  const listener: RequestListener = (incoming, outgoing) => receive({ settings, incoming, outgoing, open });
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createSecureServer({ ...options, ...tls, handshakeTimeout: headTimeoutMs }, listener);
  // Node would silently drop headers beyond its maximum.
  server.maxHeadersCount = 0;
  const refusedMax = tls === undefined ? Math.min(refusedConnectionsMax, connectionsMax) : 0;
  server.maxConnections = connectionsMax + refusedMax;
  server.on("drop", () => {
    limits.exceed("connectionsMax");
    settings.onCrowded?.();
  });
  server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => begin(socket, settings, open));
  server.on("checkContinue", (incoming, outgoing) => receive({ settings, incoming, outgoing, open }));
  server.on("checkExpectation", (incoming, outgoing) => {
    const connection = open.connections.get(incoming.socket);
    limits.noteMalformed();
    connection?.begin(outgoing);
    connection?.refuseRequest(outgoing, expectationRefused);
  });
  server.on("connect", (_incoming, socket) => {
    // Node removes its listeners from the socket here.
    socket.on("error", () => socket.destroy()).resume();
    limits.noteMalformed();
    open.connections.get(socket)?.refuse(methodRefused);
  });
  server.on("clientError", (error, socket) => broken(error, socket, settings, open));
  return server;
}

function begin(socket: Socket, { limits, onCrowded }: Options, { connections }: Open): void {
  const connection = new Connection(socket);
  const isTooMany = connections.size >= limits.values.connectionsMax;
  connections.set(socket, connection);
  socket.once("close", () => {
    connections.delete(socket);
    connection.exchanges.forget();
  });
  if (!isTooMany) return;
  connection.refuse(beyond(limits, "connectionsMax"));
  onCrowded?.();
}

/** Handles input that is not HTTP, and timeouts. */
function broken(error: Error, socket: Duplex, { limits }: Options, { connections }: Open): void {
  const connection = connections.get(socket);
  if (connection === undefined) socket.destroy();
  else if (!socket.writable) socket.destroy(error);
  else {
    // A pending response or an event stream would keep a connection that its client has closed.
    if ("readableEnded" in socket && socket.readableEnded) connection.giveUpSoon();
    if (connection.isRefused) return;
    const refusal = refusalOfError(error, connection.isBodyArriving, limits);
    if (refusal === undefined) connection.end();
    else connection.refuse(refusal);
  }
}

/** A request with the context to respond to it. */
interface RequestContext extends ResponseContext {
  readonly settings: Options;
  readonly open: Open;
}

const noBody = new Uint8Array();

/** Receives a request. A synchronous response is sent within the same event, since a promise costs as much as a lookup. */
function receive(context: RequestContext): void {
  const { incoming, outgoing, settings, open } = context;
  const connection = open.connections.get(incoming.socket);
  if (connection === undefined || connection.isRefused) return;
  const waiting = connection.begin(outgoing);
  const head = headOf(incoming.rawHeaders);
  const refusal = refusalOf(incoming, head, waiting, settings.limits);
  if (refusal !== undefined) {
    incoming.on("error", () => undefined).resume();
    connection.refuseRequest(outgoing, refusal);
    return;
  }
  // A message has a body if it has Content-Length or Transfer-Encoding (RFC 9112 §6).
  if (head.bodyLength === undefined && head.encoding === undefined) {
    connection.exchanges.follow(() => responseTo(context, head.headers, noBody));
    return;
  }
  if (incoming.headers.expect !== undefined) sendContinue(outgoing);
  const whenComplete = connection.exchanges.await();
  readBody(incoming, settings.limits.values.bodyBytesMax, (body) => {
    if (body === "too-large") connection.refuseRequest(outgoing, beyond(settings.limits, "bodyBytesMax"));
    else whenComplete(() => responseTo(context, head.headers, body));
  });
}

/** Sends `100 Continue`, but not before earlier responses: Node would write it into them. */
function sendContinue(outgoing: ServerResponse): void {
  if (outgoing.socket !== null) outgoing.writeContinue();
  else
    outgoing.once("socket", () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
}

const byteOrderMark = 0xef;

function requestOf({ method = "GET", url = "/" }: IncomingMessage, headers: HeaderList, body: Uint8Array): Request {
  return { method, target: url, headers, body: bodyOf(body) };
}

/** Keeps the body as text if possible, which is smaller than bytes. A byte order mark is kept as bytes, since decoding drops it. */
function bodyOf(bytes: Uint8Array): Body {
  if (bytes.length === 0) return emptyBody;
  const isText = bytes[0] !== byteOrderMark && isUtf8(bytes);
  // The chunk is part of a larger buffer; a copy releases that buffer.
  return new Body(isText ? decoder.decode(bytes) : Uint8Array.from(bytes));
}

const decoder = new TextDecoder();

function responseTo(context: RequestContext, headers: HeaderList, body: Uint8Array): Promise<void> | undefined {
  const { settings, incoming } = context;
  const request = requestOf(incoming, headers, body);
  try {
    const isPreflight = settings.isCorsAllowed && request.method === "OPTIONS";
    const response = isPreflight ? preflight() : settings.handler(request);
    if (response instanceof Promise)
      return response.then((known) => sendResponse(context, known)).catch((fault: unknown) => fail(context, fault));
    sendResponse(context, response);
  } catch (fault) {
    fail(context, fault);
  }
  return undefined;
}

function fail({ settings, outgoing }: RequestContext, fault: unknown): void {
  settings.onFault(fault);
  failPlainly(outgoing);
}

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

function runningServer(server: Server, settings: Options, open: Open): RunningServer {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("invariant: a listening server has a port");
  const { host, tls } = settings;
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shownHost}:${address.port}`,
    close: () => closeServer(server, settings, open),
  };
}

/**
 * Completes requests in flight and waits a while for arriving ones. Idle connections may stay open for `idleGraceMs`, so that
 * a request in transit still gets its response. All other connections end at once.
 */
function closeServer(
  server: Server,
  { closeGraceMs = closeGraceMsDefault, idleGraceMs = 0 }: Options,
  open: Open,
): Promise<void> {
  open.isClosing = true;
  return new Promise((resolve) => {
    const grace = setTimeout(() => server.closeAllConnections(), closeGraceMs);
    const endIdle = (): void => {
      server.close();
      for (const outgoing of open.silent) outgoing.destroy();
      for (const [socket, { isIdle }] of open.connections) if (isIdle) socket.destroy();
    };
    // The close method of an HTTP server would end idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      resolve();
    });
    if (idleGraceMs === 0) endIdle();
    // Timers run before input is read, and setImmediate runs after it.
    else setTimeout(setImmediate, idleGraceMs, endIdle);
  });
}
