import { type Agent, createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { headWithoutUpgrade } from "../../foundation/http/head-without-upgrade.ts";
import { HeldBytes } from "../../foundation/limits/held-bytes.ts";
import { type Network, type NetworkRoute, routeTo } from "../client/route.ts";
import { explain } from "./_explain.ts";
import { Forwarding, type ForwardOptions, headBytesMax } from "./forward.ts";
import { pathOf, type Target, type TargetUrls, targetOf } from "./targets.ts";

export interface ProxyOptions extends ForwardOptions {
  readonly targets: TargetUrls;
  /** How requests reach the targets. */
  readonly network?: Network;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** How long `close` waits for exchanges in flight; then their connections end. */
  readonly closeGraceMs: number;
}

/** A listening proxy; `close` refuses new connections and waits for the exchanges in flight. */
export interface RunningProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a reverse proxy for fixed targets. It changes only Host and hop-by-hop fields. Each client connection has its own
 * connection to the target, so clients do not wait for each other. Rejects with the system's error if the port is in use.
 */
export function startProxy(settings: ProxyOptions): Promise<RunningProxy> {
  const proxy = new ProxyServer(settings);
  return new Promise((resolve, reject) => {
    proxy.server.once("error", reject);
    proxy.server.listen(settings.port, settings.host, () => resolve(proxy.running()));
  });
}

/** A client connection with its own connection to each target. */
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
  readonly #held: HeldBytes;
  readonly #routes = new Map<Target["name"], NetworkRoute>();
  #isClosing = false;

  constructor(settings: ProxyOptions) {
    this.#settings = settings;
    this.#held = new HeldBytes(settings.bufferedBytesMax);
    // The target checks requests, and the client decides how long a request takes.
    this.server = createServer({ requireHostHeader: false, maxHeaderSize: headBytesMax, requestTimeout: 0 });
    this.server.keepAliveTimeout = 0;
    this.server.maxHeadersCount = 0;
    const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => this.#take(incoming, outgoing);
    for (const event of ["request", "checkContinue", "checkExpectation"] as const) this.server.on(event, listener);
    this.server.on("connection", (socket) => this.#open(socket));
    this.server.on("upgrade", (incoming, socket, head) => this.#upgrade(incoming, socket, head));
    this.server.on("connect", (_incoming, socket) => {
      // Node removes its listeners from the socket here.
      socket.on("error", () => socket.destroy()).resume();
      this.#refuse(socket, refusal(405, "Method Not Allowed", "CONNECT is refused: the targets are fixed"));
    });
    this.server.on("clientError", (error, socket) =>
      this.#refuse(socket, refusal(400, "Bad Request", `malformed HTTP request: ${error.message}`)),
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
    // Heads are forwarded as bytes; Node would write some of them as UTF-8.
    socket.setDefaultEncoding("latin1");
    const connection: Connection = { agents: new Map(), exchanges: 0, newest: undefined, isRefused: false };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      this.#connections.delete(socket);
      for (const agent of connection.agents.values()) agent.destroy();
    });
  }

  /** Forwards pipelined requests one after the other. */
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
      if (incoming.httpVersion === "1.0") explain(outgoing, 400, "HTTP/1.0 does not allow Transfer-Encoding");
      else explain(outgoing, 501, "unsupported Transfer-Encoding; use chunked");
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
      explain(
        client.outgoing,
        502,
        `the path ${JSON.stringify(path)} belongs to the ledger, but no ledger URL is configured`,
      );
      return;
    }
    try {
      const route = this.#routeTo(target);
      const way = { target, route, agent: agentOf(connection, target, route), held: this.#held };
      new Forwarding(client, way, this.#settings).begin();
    } catch (error) {
      client.incoming.resume();
      const problem = error instanceof Error ? error.message : String(error);
      explain(client.outgoing, 400, `the request cannot be forwarded: ${problem}`);
    }
  }

  #routeTo({ name, base }: Target): NetworkRoute {
    const route = this.#routes.get(name) ?? routeTo(base, this.#settings.network);
    this.#routes.set(name, route);
    return route;
  }

  /** Sends a refusal after earlier responses; before them, the client would take it for one of them. */
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
    // The last request itself is broken, so the target's response to it is useless.
    else if (newest.headersSent) socket.destroy();
    else end();
  }

  /** Handles a request with an upgrade after the responses to all earlier requests of the connection. */
  #upgrade(incoming: IncomingMessage, duplex: Duplex, rest: Buffer): void {
    const connection = this.#connections.get(duplex);
    // Node removes its listeners from the socket here.
    const destroy = () => duplex.destroy();
    duplex.on("error", destroy);
    if (connection === undefined || connection.isRefused) {
      duplex.resume();
      return;
    }
    const isWebsocket = incoming.headers.upgrade?.toLowerCase() === "websocket";
    // At once: after the client has ended its side, a socket takes nothing back.
    duplex.unshift(isWebsocket ? rest : Buffer.concat([Buffer.from(headWithoutUpgrade(incoming), "latin1"), rest]));
    const proceed = () => {
      if (duplex.destroyed) return;
      duplex.off("error", destroy);
      this.#serveUpgrade(incoming, connection, isWebsocket);
    };
    const { newest } = connection;
    // A finished response may still own the socket, until Node has emitted its event.
    if (newest === undefined || (newest.writableFinished && newest.socket === null)) proceed();
    else newest.once("finish", () => setImmediate(proceed));
  }

  /** Forwards a websocket as a tunnel. For other protocols, the upgrade is removed from the request. */
  #serveUpgrade(incoming: IncomingMessage, connection: Connection, isWebsocket: boolean): void {
    const { socket } = incoming;
    if (!isWebsocket) {
      this.server.emit("connection", socket);
      return;
    }
    const outgoing = new ServerResponse(incoming);
    outgoing.assignSocket(socket);
    outgoing.once("finish", () => socket.destroySoon());
    this.#forward({ incoming, outgoing, isHandshake: true }, connection);
  }

  /** Closes the proxy. Tunnels have no end, so `close` does not wait for them. */
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

function agentOf({ agents }: Connection, { name }: Target, route: NetworkRoute): Agent {
  const known = agents.get(name);
  if (known !== undefined) return known;
  const agent = route.createAgent({ keepAlive: true });
  agents.set(name, agent);
  return agent;
}

/** Renders a response of the proxy itself to input that it cannot forward. */
function refusal(status: number, reason: string, sentence: string): string {
  const body = `${sentence}.\n`;
  const headers = [`Content-Type: text/plain; charset=UTF-8`, `Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`HTTP/1.1 ${status} ${reason}`, ...headers, `Understudy-Reason: ${sentence}`, "Connection: close"];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
