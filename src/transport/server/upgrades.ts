import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { headWithoutUpgrade } from "../../foundation/http/head-without-upgrade.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { MessageStream, StreamOpener, StreamOpening } from "../../foundation/http/message-stream.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";

/** A connection without traffic ends after this time, as Pekko HTTP's (Canton: default of pekko.http.server.idle-timeout). */
const idleMs = 60_000;

/** How long a refusal is read before its connection ends. */
const leaveMs = 500;

/** Requests to open WebSockets, and the streams that they open. */
export class Upgrades {
  readonly #open: StreamOpener | undefined;
  readonly #limits: CountedLimits;
  readonly #onFault: (fault: unknown) => void;
  #server: WebSocketServer | undefined;
  readonly #protocols = new WeakMap<IncomingMessage, string>();

  /** Without an opener, no request opens a stream. */
  constructor(open: StreamOpener | undefined, limits: CountedLimits, onFault: (fault: unknown) => void) {
    this.#open = open;
    this.#limits = limits;
    this.#onFault = onFault;
  }

  /** Opens a stream, or refuses it. Otherwise `onOther` handles the request. */
  accept(incoming: IncomingMessage, socket: Duplex, rest: Buffer, onOther: () => void): void {
    const isWebSocket = /^websocket$/i.test(incoming.headers.upgrade ?? "") && incoming.method === "GET";
    const fail = (fault: unknown) => {
      this.#onFault(fault);
      socket.destroy();
    };
    try {
      const opening = isWebSocket ? this.#open?.(requestOf(incoming)) : undefined;
      if (opening === undefined) {
        onOther();
        return;
      }
      // Node removes its listeners from the socket here.
      socket.on("error", () => socket.destroy());
      if (opening instanceof Promise) opening.then((later) => this.#answer(later, incoming, socket, rest)).catch(fail);
      else this.#answer(opening, incoming, socket, rest);
    } catch (fault) {
      fail(fault);
    }
  }

  #answer(opening: StreamOpening, incoming: IncomingMessage, socket: Duplex, rest: Buffer): void {
    // A path without a stream, which is known only after the token was verified.
    if (opening === undefined)
      leave(socket, bytesOf(textResponse(404, "text/plain; charset=UTF-8", "no stream has this path")));
    else if (opening.type === "refused") leave(socket, bytesOf(opening.response));
    else {
      const { stream } = opening;
      this.#protocols.set(incoming, stream.protocol);
      this.#webSockets().handleUpgrade(incoming, socket, rest, (client) => this.#serve(client, stream, socket));
    }
  }

  /** The library, which loads at the first stream. */
  #webSockets(): WebSocketServer {
    if (this.#server !== undefined) return this.#server;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#limits.values.bodyBytesMax,
      handleProtocols: () => false,
    });
    // A node names its protocol whether the client asks for it or not; the library does not.
    this.#server.on("headers", (headers, incoming) =>
      headers.push(`Sec-WebSocket-Protocol: ${this.#protocols.get(incoming) ?? ""}`),
    );
    return this.#server;
  }

  #serve(client: WebSocket, stream: MessageStream, socket: Duplex): void {
    if ("setTimeout" in socket && typeof socket.setTimeout === "function")
      socket.setTimeout(idleMs, () => socket.destroy());
    client.on("error", () => client.terminate());
    client.once("close", () => stream.end());
    const watch = this.#unreadWatch(client);
    client.once("message", (data: RawData, isBinary: boolean) => {
      try {
        stream.begin(isBinary ? undefined : data.toString(), {
          send: (text) => {
            if (client.readyState !== client.OPEN) return;
            client.send(text);
            watch();
          },
          close: () => client.close(1000),
          cut: () => client.terminate(),
        });
      } catch (fault) {
        this.#onFault(fault);
        client.close(1011);
      }
    });
  }

  /** Cuts off a client that leaves too much unread, and reads nothing of it for a time; it delays no other. */
  #unreadWatch(client: WebSocket): () => void {
    const { eventBytesMax, responseTimeoutMs } = this.#limits.values;
    let timer: NodeJS.Timeout | undefined;
    const look = (before: number) => {
      timer = undefined;
      if (client.bufferedAmount <= eventBytesMax) return;
      if (client.bufferedAmount < before) wait();
      else {
        this.#limits.exceed("eventBytesMax");
        client.terminate();
      }
    };
    const wait = () => {
      const unread = client.bufferedAmount;
      timer = setTimeout(() => look(unread), responseTimeoutMs).unref();
    };
    client.once("close", () => clearTimeout(timer));
    return () => {
      if (timer === undefined && client.bufferedAmount > eventBytesMax) wait();
    };
  }
}

function requestOf({ method = "GET", url = "/", rawHeaders }: IncomingMessage): Omit<Request, "body"> {
  const headers: HeaderList = Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] ?? "",
    rawHeaders[2 * index + 1] ?? "",
  ]);
  return { method, target: url, headers };
}

/** Sends the last bytes of a connection, and ends it also if its client stays. */
function leave(socket: Duplex, bytes: Buffer): void {
  socket.resume().end(bytes);
  const timer = setTimeout(() => socket.destroy(), leaveMs);
  socket.once("close", () => clearTimeout(timer));
}

/** A refusal as bytes; the connection ends with it. */
function bytesOf({ status, headers, body }: Response): Buffer {
  const bytes = Buffer.from(body.text());
  const given = headers.filter(([name]) => !/^(?:content-length|connection|transfer-encoding)$/i.test(name));
  const lines = [...given, ["Content-Length", String(bytes.length)], ["Connection", "close"]];
  const head = `HTTP/1.1 ${status} \r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

/**
 * A request with `Upgrade` as plain HTTP (RFC 9110 §7.8). Node's parser ends at its head and would lose the bytes behind it, so
 * a new parser reads the request without the header and the rest.
 */
export function unreadAsPlainHttp(incoming: IncomingMessage, socket: Duplex, rest: Buffer): void {
  // At once: after the event `end`, which may follow, a socket takes nothing back.
  socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(incoming), "latin1"), rest]));
}
