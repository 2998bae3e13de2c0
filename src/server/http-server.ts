import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Broken } from "../http/broken.ts";
import type { EventStream } from "../http/event-stream.ts";
import type { HeaderList } from "../http/header.ts";
import { type Request, TextRequest } from "../http/request.ts";
import type { Response } from "../http/response.ts";
import { InOrder } from "./in-order.ts";

export interface ServerSettings {
  readonly handler: (request: Request) => ServerAnswer | Promise<ServerAnswer>;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly bodyBytesMax: number;
  /** Answers preflight requests and lets every origin read, without credentials. */
  readonly isCorsAllowed: boolean;
  /** Serves https where it is given. */
  readonly tls?: TlsFiles | undefined;
  /** Serves connections that another process has accepted, and drops whatever comes to its own port. */
  readonly isHanded?: boolean;
  /** How long `close` waits for requests that are still arriving; then their connections end. */
  readonly closeGraceMs?: number;
  /** Told of a fault of our own; the client gets a plain 500. */
  readonly onFault: (fault: unknown) => void;
}

export type ServerAnswer = Response | Broken | EventStream;

/** Certificate and private key in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const closeGraceMsDefault = 5000;

export const bodyBytesMaxDefault: number = 8 * 1024 * 1024;

/** A listening server; `close` refuses new connections and waits for the requests in flight. */
export interface RunningServer {
  readonly url: string;
  /** Takes over a connection of which another process has read the first bytes. */
  take(socket: Socket, bytes: Uint8Array): void;
  close(): Promise<void>;
}

/** Puts a handler behind a socket. Rejects with the system's error when the port is taken. */
export function startServer(settings: ServerSettings): Promise<RunningServer> {
  const connections: Connections = {
    unused: new Set(),
    handed: new Set(),
    silent: new Set(),
    inOrder: new InOrder(),
    isClosing: false,
  };
  const listener: RequestListener = (incoming, outgoing) => {
    connections.unused.delete(incoming.socket);
    receive({ settings, incoming, outgoing, connections });
  };
  // A request without a body is one event fewer; a Node that does not know the option does without.
  const options = { optimizeEmptyRequests: true };
  const server =
    settings.tls === undefined
      ? createServer(options, listener)
      : createSecureServer({ ...options, ...settings.tls }, listener);
  if (settings.isHanded === true) server.maxConnections = 0;
  server.on(settings.tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    connections.unused.add(socket);
    socket.once("close", () => {
      connections.unused.delete(socket);
      connections.inOrder.forget(socket);
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, () => resolve(runningServer(server, settings, connections)));
  });
}

/** What a server that closes need not wait for: sockets that sent no request yet, and answers that never come or end on purpose. */
interface Connections {
  readonly unused: Set<Socket>;
  /** Connections that came from another process, for which Node does not wait. */
  readonly handed: Set<Socket>;
  readonly silent: Set<ServerResponse>;
  readonly inOrder: InOrder<Socket>;
  isClosing: boolean;
}

/** One request with what it needs to be answered. */
interface Turn {
  readonly settings: ServerSettings;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly connections: Connections;
}

const noBody = new Uint8Array();

/** What can be answered at once is answered within the event in which it came: each promise would cost as much as a lookup. */
function receive(turn: Turn): void {
  const { incoming, outgoing, settings, connections } = turn;
  const headers = headersOf(incoming.rawHeaders);
  if (!headers.some(announcesBody)) {
    connections.inOrder.follow(incoming.socket, () => answerTo(turn, headers, noBody));
    return;
  }
  const whenWhole = connections.inOrder.await(incoming.socket);
  readBody(incoming, settings.bodyBytesMax, (body) =>
    whenWhole(() => {
      if (body === "too-large") refuseBody(outgoing, settings.bodyBytesMax);
      else answerTo(turn, headers, body);
    }),
  );
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

function answerTo(turn: Turn, headers: HeaderList, body: Uint8Array): void {
  const { settings, incoming } = turn;
  const request = requestOf(incoming, headers, body);
  try {
    const isPreflight = settings.isCorsAllowed && request.method === "OPTIONS";
    const answer = isPreflight ? preflight() : settings.handler(request);
    if (answer instanceof Promise)
      answer.then((known) => send(turn, known)).catch((fault: unknown) => fail(turn, fault));
    else send(turn, answer);
  } catch (fault) {
    fail(turn, fault);
  }
}

function send(turn: Turn, answer: ServerAnswer): void {
  if (answer.type === "events") sendEvents(turn, answer);
  else if (answer.type === "broken" && answer.kind === "timed-out") keepSilent(turn);
  else if (answer.type === "broken") breakOff(turn, answer);
  else writeResponse(turn, answer);
}

function fail({ settings, outgoing }: Turn, fault: unknown): void {
  settings.onFault(fault);
  failPlainly(outgoing);
}

/** A message has a body if it names its length or how it is encoded (RFC 9112, section 6). */
function announcesBody([name]: HeaderList[number]): boolean {
  if (name.length !== "content-length".length && name.length !== "transfer-encoding".length) return false;
  const known = name.toLowerCase();
  return known === "content-length" || known === "transfer-encoding";
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
      incoming.pause();
      take("too-large");
    }
  });
  incoming.on("end", () => {
    if (length <= bytesMax) take(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
  });
  // Without a listener the process would end with what a client did.
  incoming.on("error", () => undefined);
}

function headersOf(raw: readonly string[]): HeaderList {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) headers.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return headers;
}

function writeResponse({ settings, outgoing, connections }: Turn, response: Response): void {
  const { text } = response;
  const length = text === undefined ? response.body.length : Buffer.byteLength(text);
  const head: string[] = [];
  for (const [name, value] of response.headers) if (!isOfServer(name, settings.isCorsAllowed)) head.push(name, value);
  if (settings.isCorsAllowed)
    head.push("Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", "Understudy-Reason");
  if (connections.isClosing) head.push("Connection", "close");
  head.push("Content-Length", String(length));
  outgoing.writeHead(response.status, head);
  if (text === undefined) outgoing.end(response.body);
  // A text goes out in one write with its head; with a byte for each character it need not be encoded.
  else outgoing.end(text, length === text.length ? "latin1" : "utf8");
}

/** What the server says itself, whatever the answer says. */
function isOfServer(name: string, isCorsAllowed: boolean): boolean {
  if (name.length === "content-length".length && name.toLowerCase() === "content-length") return true;
  return isCorsAllowed && corsFields.has(name.toLowerCase());
}

const corsFields: ReadonlySet<string> = new Set(["access-control-allow-origin", "access-control-expose-headers"]);

function keepSilent({ outgoing, connections }: Pick<Turn, "outgoing" | "connections">): void {
  connections.silent.add(outgoing);
  outgoing.once("close", () => connections.silent.delete(outgoing));
}

/** Bytes that wait for a listener who does not read; beyond that it is cut off, and may come again. */
const unreadBytesMax = 1024 * 1024;

/** A server that closes does not wait for those who listen. */
function sendEvents({ outgoing, connections }: Turn, { headers, open }: EventStream): void {
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  keepSilent({ outgoing, connections });
  outgoing.flushHeaders();
  const close = open({
    send: (text) => {
      outgoing.write(text);
      if (outgoing.writableLength > unreadBytesMax) outgoing.destroy();
    },
    end: () => outgoing.end(),
  });
  outgoing.once("close", close);
}

/** A client must see a broken answer as it would from a node: a reset, or a body that ends early. */
function breakOff({ incoming, outgoing }: Turn, { partial }: Broken): void {
  if (partial === undefined) {
    incoming.socket.resetAndDestroy();
    return;
  }
  for (const [name, value] of partial.headers) outgoing.appendHeader(name, value);
  outgoing.statusCode = partial.status;
  outgoing.setHeader("Content-Length", partial.bodyLength);
  outgoing.write(partial.body, () => incoming.socket.destroy());
}

function preflight(): Response {
  const headers: HeaderList = [
    ["Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE"],
    ["Access-Control-Allow-Headers", "Authorization, Content-Type, Understudy-World, traceparent"],
    ["Access-Control-Max-Age", "600"],
  ];
  return { type: "response", status: 204, headers, body: new Uint8Array() };
}

function refuseBody(outgoing: ServerResponse, bytesMax: number): void {
  outgoing.writeHead(413, { "Content-Type": "text/plain; charset=UTF-8", Connection: "close" });
  outgoing.end(`The request body is larger than the limit of ${bytesMax} bytes.`);
}

function failPlainly(outgoing: ServerResponse): void {
  if (!outgoing.headersSent) outgoing.writeHead(500, { "Content-Type": "text/plain; charset=UTF-8" });
  outgoing.end("Understudy failed to answer. This is a bug of Understudy; the server's output says more.");
}

function runningServer(
  server: Server,
  { host, closeGraceMs, tls }: ServerSettings,
  connections: Connections,
): RunningServer {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("invariant: a listening server has a port");
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shownHost}:${address.port}`,
    take: (socket, bytes) => takeOver(server, connections, socket, bytes),
    close: () => closeServer(server, connections, closeGraceMs ?? closeGraceMsDefault),
  };
}

function takeOver(server: Server, { handed, isClosing }: Connections, socket: Socket, bytes: Uint8Array): void {
  if (isClosing) {
    socket.destroy();
    return;
  }
  handed.add(socket);
  socket.once("close", () => handed.delete(socket));
  // As a server makes its own: a client that has nothing more to say may still listen.
  socket.allowHalfOpen = true;
  socket.setNoDelay(true);
  if (bytes.length > 0) socket.unshift(bytes);
  server.emit("connection", socket);
}

/** Requests in flight get their answer, those that are still arriving a while; all other connections end at once. */
function closeServer(server: Server, connections: Connections, graceMs: number): Promise<void> {
  connections.isClosing = true;
  const { handed, silent, unused } = connections;
  return new Promise((resolve) => {
    const grace = setTimeout(() => {
      server.closeAllConnections();
      for (const socket of handed) socket.destroy();
    }, graceMs);
    server.close(async () => {
      await Promise.all([...handed].map((socket) => new Promise((closed) => socket.once("close", closed))));
      clearTimeout(grace);
      resolve();
    });
    for (const outgoing of silent) outgoing.destroy();
    for (const socket of unused) socket.destroy();
  });
}
