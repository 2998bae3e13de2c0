import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HeaderList } from "../../foundation/http/header.ts";
import { type Request, TextRequest } from "../../foundation/http/request.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { Connection } from "./connection.ts";
import { beyond, expectationRefused, headOf, methodRefused, refusalOf, refusalOfError } from "./refusals.ts";
import { failPlainly, preflight, type Responding, type ServedResponse, sendResponse } from "./send-response.ts";

export interface ServerOptions {
  readonly handler: (request: Request) => ServedResponse | Promise<ServedResponse>;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** How much may come, and where it is counted what was refused; by default where it is left out. */
  readonly limits?: CountedLimits | undefined;
  /** Answers preflight requests and lets every origin read, without credentials. */
  readonly isCorsAllowed: boolean;
  /** Serves https where it is given. */
  readonly tls?: TlsFiles | undefined;
  /** How long `close` waits for requests that are still arriving; then their connections end. */
  readonly closeGraceMs?: number;
  /** How long `close` leaves connections open that wait for a next request; at once where it is left out. */
  readonly idleGraceMs?: number;
  /** Told of a fault of our own; the client gets a plain 500. */
  readonly onFault: (fault: unknown) => void;
  /** Told where a connection is refused since there are as many as there may be. */
  readonly onCrowded?: () => void;
  /** Told where the system accepts no connection; the server goes on. */
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

/** Puts a handler behind a socket. Rejects with the system's error when the port is taken. */
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

/** What is open: connections, and among their responses those that never come or end on purpose, for which nobody waits. */
interface Open {
  readonly connections: Map<Duplex, Connection>;
  readonly silent: Set<ServerResponse>;
  isClosing: boolean;
}

/** Connections beyond the bound that are told so at a time; the next ones are closed without a word. */
export const refusedConnectionsMax = 64;

function serverOf(settings: Options, open: Open): Server {
  const { limits, tls } = settings;
  const { connectionsMax, headBytesMax, headTimeoutMs, requestTimeoutMs, idleTimeoutMs } = limits.values;
  const options = {
    // A request without a body is one event fewer; a Node that does not know the option does without.
    optimizeEmptyRequests: true,
    // What of these is refused is refused by us, in words.
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
  // Node would leave out what is too much, without a word.
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
    // Node lets go of the socket here, with all that listened to it.
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
    connection.inOrder.forget();
  });
  if (!isTooMany) return;
  connection.refuse(beyond(limits, "connectionsMax"));
  onCrowded?.();
}

/** What came on a connection is no HTTP, or does not come at all. */
function broken(error: Error, socket: Duplex, { limits }: Options, { connections }: Open): void {
  const connection = connections.get(socket);
  if (connection === undefined) socket.destroy();
  else if (!socket.writable) socket.destroy(error);
  else {
    // A response that never comes, or a stream of events, would keep a connection that its client has left.
    if ("readableEnded" in socket && socket.readableEnded) connection.giveUpSoon();
    if (connection.isRefused) return;
    const refusal = refusalOfError(error, connection.isBodyArriving, limits);
    if (refusal === undefined) connection.end();
    else connection.refuse(refusal);
  }
}

/** One request with what it needs to be answered. */
interface Turn extends Responding {
  readonly settings: Options;
  readonly open: Open;
}

const noBody = new Uint8Array();

/** What can be answered at once is answered within the event in which it came: each promise would cost as much as a lookup. */
function receive(turn: Turn): void {
  const { incoming, outgoing, settings, open } = turn;
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
  // A message has a body if it names its length or how it is encoded (RFC 9112, section 6).
  if (head.bodyLength === undefined && head.encoding === undefined) {
    connection.inOrder.follow(() => responseTo(turn, head.headers, noBody));
    return;
  }
  if (incoming.headers.expect !== undefined) askForBody(outgoing);
  const whenWhole = connection.inOrder.await();
  readBody(incoming, settings.limits.values.bodyBytesMax, (body) => {
    if (body === "too-large") connection.refuseRequest(outgoing, beyond(settings.limits, "bodyBytesMax"));
    else whenWhole(() => responseTo(turn, head.headers, body));
  });
}

/** Node would put the line into the response itself where it has to wait for the responses before. */
function askForBody(outgoing: ServerResponse): void {
  if (outgoing.socket !== null) outgoing.writeContinue();
  else
    outgoing.once("socket", () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
}

const byteOrderMark = 0xef;

/** A text is kept for less than bytes are, and is read more than once. A decoder would take the mark of its bytes away. */
function requestOf({ method = "GET", url = "/" }: IncomingMessage, headers: HeaderList, body: Uint8Array): Request {
  if (body.length === 0) return { method, target: url, headers, body: noBody };
  // What came is part of a larger piece of memory, which a copy lets go.
  if (body[0] === byteOrderMark || !isUtf8(body)) return { method, target: url, headers, body: Uint8Array.from(body) };
  return new TextRequest(method, url, headers, decoder.decode(body));
}

const decoder = new TextDecoder();

function responseTo(turn: Turn, headers: HeaderList, body: Uint8Array): Promise<void> | undefined {
  const { settings, incoming } = turn;
  const request = requestOf(incoming, headers, body);
  try {
    const isPreflight = settings.isCorsAllowed && request.method === "OPTIONS";
    const response = isPreflight ? preflight() : settings.handler(request);
    if (response instanceof Promise)
      return response.then((known) => sendResponse(turn, known)).catch((fault: unknown) => fail(turn, fault));
    sendResponse(turn, response);
  } catch (fault) {
    fail(turn, fault);
  }
  return undefined;
}

function fail({ settings, outgoing }: Turn, fault: unknown): void {
  settings.onFault(fault);
  failPlainly(outgoing);
}

/** Says once that a body is there, or too large; nothing where the client gives up before. */
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
  // Without a listener the process would end with what a client did.
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
 * Requests in flight get their answer, those that are still arriving a while. Connections that wait for a next request may be
 * left open a moment: one that is on its way is answered rather than cut off. All others end at once.
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
    // Node's own way to close a server of HTTP ends what is idle at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      resolve();
    });
    if (idleGraceMs === 0) endIdle();
    // A timer comes before the reading of what has arrived meanwhile, and what runs immediately comes behind it.
    else setTimeout(setImmediate, idleGraceMs, endIdle);
  });
}
