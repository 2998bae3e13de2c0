import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { headWithoutUpgrade } from "../../foundation/http/head-without-upgrade.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { MessageStream, StreamOpener, StreamOpening } from "../../foundation/http/message-stream.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";

/** A connection without traffic ends after this time, as Pekko HTTP's (Canton: default of pekko.http.server.idle-timeout). */
const idleMs = 60_000;

/** A client with more unread bytes is cut off, and delays no other. */
const unreadBytesMax = 4 * 1024 * 1024;

/** Requests to open WebSockets, and the streams that they open. */
export class Upgrades {
  readonly #open: StreamOpener | undefined;
  readonly #limits: CountedLimits;
  #server: WebSocketServer | undefined;
  readonly #protocols = new WeakMap<IncomingMessage, string>();

  /** Without an opener, no request opens a stream. */
  constructor(open: StreamOpener | undefined, limits: CountedLimits) {
    this.#open = open;
    this.#limits = limits;
  }

  /** Opens a stream, or refuses it. Otherwise `onOther` handles the request. */
  accept(incoming: IncomingMessage, socket: Duplex, rest: Buffer, onOther: () => void): void {
    const isWebSocket = /^websocket$/i.test(incoming.headers.upgrade ?? "") && incoming.method === "GET";
    const opening = isWebSocket ? this.#open?.(requestOf(incoming)) : undefined;
    if (opening === undefined) {
      onOther();
      return;
    }
    // Node removes its listeners from the socket here.
    socket.on("error", () => socket.destroy());
    if (opening instanceof Promise)
      opening.then((later) => this.#answer(later, incoming, socket, rest)).catch(() => socket.destroy());
    else this.#answer(opening, incoming, socket, rest);
  }

  #answer(opening: StreamOpening, incoming: IncomingMessage, socket: Duplex, rest: Buffer): void {
    if (opening === undefined) socket.destroy();
    else if (opening.type === "refused") socket.end(headOf(opening.response));
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
    client.once("message", (data: RawData, isBinary: boolean) =>
      stream.begin(isBinary ? undefined : data.toString(), {
        send: (text) => {
          if (client.bufferedAmount > unreadBytesMax) {
            this.#limits.exceed("responseTimeoutMs");
            client.terminate();
          } else if (client.readyState === client.OPEN) client.send(text);
        },
        close: () => client.close(1000),
        cut: () => client.terminate(),
      }),
    );
  }
}

function requestOf({ method = "GET", url = "/", rawHeaders }: IncomingMessage): Omit<Request, "body"> {
  const headers: HeaderList = Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] ?? "",
    rawHeaders[2 * index + 1] ?? "",
  ]);
  return { method, target: url, headers };
}

/** A refusal as bytes; the connection ends with it. */
function headOf({ status, headers, body }: Response): Buffer {
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
