import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Broken } from "../http/broken.ts";
import type { EventStream } from "../http/event-stream.ts";
import type { HeaderList } from "../http/header.ts";
import type { Request } from "../http/request.ts";
import type { Response } from "../http/response.ts";

export interface ServerSettings {
  readonly handler: (request: Request) => Promise<Response | Broken | EventStream>;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly bodyBytesMax: number;
  /** Answers preflight requests and lets every origin read, without credentials. */
  readonly isCorsAllowed: boolean;
  /** Serves https where it is given. */
  readonly tls?: TlsFiles | undefined;
  /** How long `close` waits for requests that are still arriving; then their connections end. */
  readonly closeGraceMs?: number;
  /** Told of a fault of our own; the client gets a plain 500. */
  readonly onFault: (fault: unknown) => void;
}

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
  close(): Promise<void>;
}

/** Puts a handler behind a socket. Rejects with the system's error when the port is taken. */
export function startServer(settings: ServerSettings): Promise<RunningServer> {
  const connections: Connections = { idle: new Set(), silent: new Set() };
  const listener: RequestListener = (incoming, outgoing) => {
    connections.idle.delete(incoming.socket);
    outgoing.once("close", () => {
      connections.silent.delete(outgoing);
      if (!incoming.socket.destroyed) connections.idle.add(incoming.socket);
    });
    serve(settings, incoming, outgoing, connections.silent).catch((fault: unknown) => {
      settings.onFault(fault);
      failPlainly(outgoing);
    });
  };
  const server = settings.tls === undefined ? createServer(listener) : createSecureServer(settings.tls, listener);
  server.on(settings.tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    connections.idle.add(socket);
    socket.once("close", () => connections.idle.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, () => resolve(runningServer(server, settings, connections)));
  });
}

/** What a server that closes need not wait for: sockets without a request, and answers that never come or end on purpose. */
interface Connections {
  readonly idle: Set<Socket>;
  readonly silent: Set<ServerResponse>;
}

async function serve(
  settings: ServerSettings,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  silent: Set<ServerResponse>,
): Promise<void> {
  const body = await readBody(incoming, settings.bodyBytesMax);
  if (body === "aborted") return;
  if (body === "too-large") return refuseBody(outgoing, settings.bodyBytesMax);
  const request: Request = {
    method: incoming.method ?? "GET",
    target: incoming.url ?? "/",
    headers: headersOf(incoming.rawHeaders),
    body,
  };
  if (settings.isCorsAllowed && request.method === "OPTIONS") return writeResponse(outgoing, preflight(), true);
  const answer = await settings.handler(request);
  if (answer.type === "events") sendEvents(outgoing, answer, silent);
  else if (answer.type === "broken" && answer.kind === "timed-out") silent.add(outgoing);
  else if (answer.type === "broken") breakOff(incoming, outgoing, answer);
  else writeResponse(outgoing, answer, settings.isCorsAllowed);
}

function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array | "too-large" | "aborted"> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    incoming.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > bytesMax) {
        incoming.pause();
        resolve("too-large");
      } else chunks.push(chunk);
    });
    incoming.on("end", () => resolve(Buffer.concat(chunks)));
    incoming.on("error", () => resolve("aborted"));
    incoming.on("close", () => resolve("aborted"));
  });
}

function headersOf(raw: readonly string[]): HeaderList {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) headers.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return headers;
}

function writeResponse(outgoing: ServerResponse, response: Response, isCorsAllowed: boolean): void {
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (isCorsAllowed) {
    outgoing.setHeader("Access-Control-Allow-Origin", "*");
    outgoing.setHeader("Access-Control-Expose-Headers", "Understudy-Reason");
  }
  outgoing.statusCode = response.status;
  outgoing.setHeader("Content-Length", response.body.length);
  outgoing.end(response.body);
}

/** Bytes that wait for a listener who does not read; beyond that it is cut off, and may come again. */
const unreadBytesMax = 1024 * 1024;

/** A server that closes does not wait for those who listen. */
function sendEvents(outgoing: ServerResponse, { headers, open }: EventStream, silent: Set<ServerResponse>): void {
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  silent.add(outgoing);
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
function breakOff(incoming: IncomingMessage, outgoing: ServerResponse, { partial }: Broken): void {
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
    close: () => closeServer(server, connections, closeGraceMs ?? closeGraceMsDefault),
  };
}

/** Requests in flight get their answer, those that are still arriving a while; all other connections end at once. */
function closeServer(server: Server, { idle, silent }: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const grace = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(grace);
      resolve();
    });
    for (const outgoing of silent) outgoing.destroy();
    for (const socket of idle) socket.destroy();
  });
}
