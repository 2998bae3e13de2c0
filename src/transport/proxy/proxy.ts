import { Agent, createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import { Agent as SecureAgent } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { explain } from "./_explain.ts";
import { Forwarding, type ForwardOptions, headBytesMax } from "./forward.ts";
import { pairsOf } from "./forwarded-headers.ts";
import { pathOf, type Target, type TargetUrls, targetOf } from "./targets.ts";

export interface ProxyOptions extends ForwardOptions {
  readonly targets: TargetUrls;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** How long `close` waits for exchanges in flight; then their connections end. */
  readonly closeGraceMs: number;
}

/** A listening proxy; `close` refuses new connections and lets the exchanges in flight end. */
export interface RunningProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Puts itself before targets that are fixed here. What passes is changed in nothing but its host and what belongs to one
 * connection; each client's connection has its own to the target, so that neither waits for another's. Rejects with the
 * system's error when the port is taken.
 */
export function startProxy(settings: ProxyOptions): Promise<RunningProxy> {
  const proxy = new ProxyServer(settings);
  return new Promise((resolve, reject) => {
    proxy.server.once("error", reject);
    proxy.server.listen(settings.port, settings.host, () => resolve(proxy.running()));
  });
}

/** A client's connection, with its own to each target. */
interface Connection {
  readonly agents: Map<Target["name"], Agent>;
  exchanges: number;
  newest: ServerResponse | undefined;
  isRefused: boolean;
}

class ProxyServer {
  readonly server: Server;
  readonly #settings: ProxyOptions;
  readonly #connections = new Map<Duplex, Connection>();
  #isClosing = false;

  constructor(settings: ProxyOptions) {
    this.#settings = settings;
    // What a request must have is for the target to say, and how long it may take is for whoever sends it.
    this.server = createServer({ requireHostHeader: false, maxHeaderSize: headBytesMax, requestTimeout: 0 });
    this.server.keepAliveTimeout = 0;
    this.server.maxHeadersCount = 0;
    const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => this.#take(incoming, outgoing);
    for (const event of ["request", "checkContinue", "checkExpectation"] as const) this.server.on(event, listener);
    this.server.on("connection", (socket) => this.#open(socket));
    this.server.on("upgrade", (incoming, socket, head) => this.#upgrade(incoming, socket, head));
    this.server.on("connect", (_incoming, socket) => {
      // Node lets go of the socket here, with all that listened to it.
      socket.on("error", () => socket.destroy()).resume();
      this.#refuse(socket, refusal(405, "Method Not Allowed", "CONNECT is refused: the targets are fixed"));
    });
    this.server.on("clientError", (error, socket) =>
      this.#refuse(socket, refusal(400, "Bad Request", `what came is no HTTP request: ${error.message}`)),
    );
  }

  running(): RunningProxy {
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === "string") throw new Error("invariant: a listening server has a port");
    const { host } = this.#settings;
    const shownHost = host.includes(":") ? `[${host}]` : host;
    return { url: `http://${shownHost}:${address.port}`, close: () => this.#close() };
  }

  #open(socket: Socket): void {
    if (this.#connections.has(socket)) return;
    // Heads are bytes to us; Node would write some of them as UTF-8.
    socket.setDefaultEncoding("latin1");
    const connection: Connection = { agents: new Map(), exchanges: 0, newest: undefined, isRefused: false };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      this.#connections.delete(socket);
      for (const agent of connection.agents.values()) agent.destroy();
    });
  }

  /** Requests that a client sends before it has the response to the one before are passed on one after the other. */
  #take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const connection = this.#connections.get(incoming.socket);
    if (connection === undefined || connection.isRefused) return;
    connection.newest = outgoing;
    connection.exchanges += 1;
    outgoing.once("close", () => {
      connection.exchanges -= 1;
      if (this.#isClosing && connection.exchanges === 0) incoming.socket.destroySoon();
    });
    const { "transfer-encoding": encoding } = incoming.headers;
    if (encoding !== undefined && (encoding.trim().toLowerCase() !== "chunked" || incoming.httpVersion === "1.0")) {
      incoming.resume();
      connection.isRefused = true;
      outgoing.setHeader("Connection", "close");
      if (incoming.httpVersion === "1.0") explain(outgoing, 400, "HTTP/1.0 has no Transfer-Encoding");
      else explain(outgoing, 501, "a Transfer-Encoding that is not chunked is read by everybody in another way");
      return;
    }
    const client = { incoming, outgoing, isHandshake: false };
    if (outgoing.socket === null) outgoing.once("socket", () => this.#forward(client, connection));
    else this.#forward(client, connection);
  }

  #forward(client: ConstructorParameters<typeof Forwarding>[0], connection: Connection): void {
    const path = pathOf(client.incoming.url ?? "/");
    const target = targetOf(this.#settings.targets, path);
    if (target === undefined) {
      client.incoming.resume();
      explain(client.outgoing, 502, `the path ${JSON.stringify(path)} belongs to a ledger, and no ledger was given`);
      return;
    }
    try {
      new Forwarding(client, target, agentOf(connection, target), this.#settings).begin();
    } catch (error) {
      client.incoming.resume();
      const problem = error instanceof Error ? error.message : String(error);
      explain(client.outgoing, 400, `the request cannot be passed on: ${problem}`);
    }
  }

  /** What is no request is answered behind the responses that are due: before them it would be taken for one of them. */
  #refuse(socket: Duplex, message: string): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    if (connection.isRefused) return;
    connection.isRefused = true;
    const end = () => socket.end(message);
    const { newest } = connection;
    if (newest === undefined || newest.writableFinished || newest.destroyed) end();
    else if (newest.req.complete) newest.once("finish", end);
    // The last request itself is broken; what its target would say of half of it is of no use.
    else if (newest.headersSent) socket.destroy();
    else end();
  }

  /** A websocket is passed on as a tunnel; any other protocol is not for a client and us to agree on, so it is left out. */
  #upgrade(incoming: IncomingMessage, duplex: Duplex, head: Buffer): void {
    const { socket } = incoming;
    const connection = this.#connections.get(duplex);
    if (connection === undefined) return;
    if (incoming.headers.upgrade?.toLowerCase() !== "websocket") {
      socket.unshift(Buffer.concat([headWithoutUpgrade(incoming), head]));
      this.server.emit("connection", socket);
      return;
    }
    socket.unshift(head);
    const outgoing = new ServerResponse(incoming);
    outgoing.assignSocket(socket);
    outgoing.once("finish", () => socket.destroySoon());
    this.#forward({ incoming, outgoing, isHandshake: true }, connection);
  }

  /** Tunnels count as no exchange: they have no end to wait for. */
  #close(): Promise<void> {
    this.#isClosing = true;
    return new Promise((resolve) => {
      const grace = setTimeout(() => {
        for (const socket of this.#connections.keys()) socket.destroy();
      }, this.#settings.closeGraceMs);
      this.server.close(() => {
        clearTimeout(grace);
        resolve();
      });
      for (const [socket, { exchanges }] of this.#connections) if (exchanges === 0) socket.destroy();
    });
  }
}

function agentOf({ agents }: Connection, { name, base }: Target): Agent {
  const known = agents.get(name);
  if (known !== undefined) return known;
  const agent = base.protocol === "https:" ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  agents.set(name, agent);
  return agent;
}

/** A response of our own to what is no request that can be passed on. */
function refusal(status: number, reason: string, sentence: string): string {
  const body = `${sentence}.\n`;
  const headers = [`Content-Type: text/plain; charset=UTF-8`, `Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`HTTP/1.1 ${status} ${reason}`, ...headers, `Understudy-Reason: ${sentence}`, "Connection: close"];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const headers = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() !== "upgrade");
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
