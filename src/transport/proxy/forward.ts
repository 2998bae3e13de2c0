import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { brokenOff, noHead, type Offence, type Whom } from "./_broken-off.ts";
import { explain } from "./_explain.ts";
import { join, pass, passTrailers } from "./_pass.ts";
import { Stopwatch } from "./_stopwatch.ts";
import { BodyTap } from "./body-tap.ts";
import { addressed, endToEnd, pairsOf, promisedLength } from "./forwarded-headers.ts";
import type { Passed } from "./passed.ts";
import { nameOf, pathAt, pathOf, type Target } from "./targets.ts";

/** What every forwarding needs to know. */
export interface ForwardOptions {
  /** How long a target may be silent; then the exchange ends. */
  readonly timeoutMs: number;
  /** Bytes of a body that are kept for the exchange; what is longer passes, and is left out of it. */
  readonly bodyBytesMax: number;
  /** Wall time that never runs backwards, in milliseconds with fractions. */
  readonly nowMs: () => number;
  /** Takes an exchange that has ended, however it ended. The last byte of its response waits for it, `heldMsMax` at most. */
  readonly onExchange: (passed: Passed) => Promise<void>;
  readonly heldMsMax: number;
}

/** The client's side of an exchange. */
export interface ClientSide {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the client asks to go on with another protocol. */
  readonly isHandshake: boolean;
}

/** Bytes of a head that are read, on either side. */
export const headBytesMax: number = 256 * 1024;

/** Sends a request on to its target and the response back, both as they come. Settles when the exchange was taken. */
export class Forwarding {
  readonly #client: ClientSide;
  readonly #target: Target;
  readonly #settings: ForwardOptions;
  readonly #request: ClientRequest;
  readonly #headers: HeaderList;
  readonly #watch: Stopwatch;
  readonly #sent: BodyTap;
  readonly #came: BodyTap;
  #silence: NodeJS.Timeout | undefined;
  #responseOf: IncomingMessage | undefined;
  #isConnected = false;
  #isReset = false;
  #isOver = false;
  /** The chunk with which the client would have the whole response. */
  #last: Uint8Array | undefined;

  /** Throws where Node does not send such a request. */
  constructor(client: ClientSide, target: Target, agent: Agent, settings: ForwardOptions) {
    this.#client = client;
    this.#target = target;
    this.#settings = settings;
    this.#watch = new Stopwatch(settings.nowMs);
    this.#sent = new BodyTap(settings.bodyBytesMax);
    this.#came = new BodyTap(settings.bodyBytesMax);
    this.#headers = requestHeaders(client, target);
    this.#request = open(client.incoming, target, { headers: this.#headers, agent });
  }

  begin(): void {
    const { incoming, outgoing } = this.#client;
    this.#silence = setTimeout(() => this.#timeOut(), this.#settings.timeoutMs);
    this.#listen();
    outgoing.once("close", () => {
      this.#end({ kind: "unexplained", reason: "the client went away" });
      this.#request.destroy();
    });
    pass(incoming, this.#request, (chunk) => {
      this.#silence?.refresh();
      this.#sent.add(chunk);
      return true;
    });
    incoming.once("end", () => {
      passTrailers(incoming, this.#request);
      this.#request.end(() => this.#watch.sent());
    });
    // A head that comes without its body goes on without it.
    setImmediate(() => {
      if (!incoming.readableEnded && !this.#request.destroyed) this.#request.flushHeaders();
    });
  }

  #listen(): void {
    const { incoming, outgoing } = this.#client;
    const request = this.#request;
    request.on("socket", (socket) => {
      // Heads are bytes to us; Node would write some of them as UTF-8.
      socket.setDefaultEncoding("latin1");
      this.#isConnected = !socket.connecting;
      if (!this.#isConnected)
        socket.once(this.#target.base.protocol === "https:" ? "secureConnect" : "connect", () => {
          this.#isConnected = true;
          this.#watch.connected();
        });
    });
    request.on("information", ({ statusCode, statusMessage, rawHeaders }) => {
      // An interim answer (RFC 9110, 15.2), which Node cannot write as it came, and which HTTP/1.0 does not know.
      if (incoming.httpVersion !== "1.0")
        outgoing.socket?.write(headOf(statusCode, statusMessage, endToEnd(pairsOf(rawHeaders))));
    });
    request.on("response", (response) => this.#receive(response));
    request.on("upgrade", (response, upstream, head) => this.#tunnel(response, upstream, head));
    request.on("error", (error) => this.#fail(error));
    // Nobody reads what the client still sends; it must not be stuck with it.
    request.on("close", () => incoming.resume());
  }

  #receive(response: IncomingMessage): void {
    const { incoming, outgoing } = this.#client;
    this.#responseOf = response;
    this.#watch.responded();
    this.#silence?.refresh();
    const headers = endToEnd(pairsOf(response.rawHeaders));
    begin(this.#client, response, headers);
    const hasBody = incoming.method !== "HEAD" && response.statusCode !== 204 && response.statusCode !== 304;
    const promised = hasBody ? promisedLength(headers) : 0;
    pass(response, outgoing, (chunk) => {
      this.#silence?.refresh();
      this.#came.add(chunk);
      if (promised === undefined || this.#came.length < promised) return true;
      // The rest of what was promised: with it the client has the whole response.
      this.#last = chunk;
      return false;
    });
    setImmediate(() => {
      if (promised !== 0 && this.#last === undefined && !response.readableEnded && !this.#isOver)
        outgoing.flushHeaders();
    });
    response.once("end", () => this.#complete(response));
    response.on("error", () => this.#breakOff());
    response.once("close", () => this.#breakOff());
  }

  #complete(response: IncomingMessage): void {
    const { outgoing } = this.#client;
    if (!response.complete || this.#isOver) return;
    this.#isOver = true;
    void this.#taken(this.#response(response)).then(() => {
      if (this.#last !== undefined) outgoing.write(this.#last);
      passTrailers(response, outgoing);
      outgoing.end();
    });
  }

  #response(response: IncomingMessage): Response | FailedResponse {
    const { statusCode: status = 0, rawHeaders } = response;
    const headers = pairsOf(rawHeaders);
    const body = this.#came.body();
    const leftOut = this.#leftOut();
    if (leftOut === undefined) return { type: "response", status, headers, body };
    const partial = { status, headers, body, bodyLength: this.#came.length };
    return { type: "broken", kind: "unexplained", reason: leftOut, partial };
  }

  #leftOut(): string | undefined {
    const tap = [this.#came, this.#sent].find(({ isLeftOut }) => isLeftOut);
    if (tap === undefined) return undefined;
    const whose = tap === this.#came ? "response" : "request";
    return `the body of the ${whose} is left out: its ${tap.length} bytes are more than ${this.#settings.bodyBytesMax}`;
  }

  /** Without a response's head. */
  #fail(error: Error): void {
    // Only what is read off the connection tells a reset from an end.
    if ("syscall" in error && error.syscall === "read") this.#isReset = true;
    if (this.#responseOf !== undefined) this.#breakOff();
    else {
      const whom: Whom = {
        target: this.#target,
        isConnected: this.#isConnected,
        isKept: this.#request.reusedSocket,
      };
      this.#end(noHead(error, whom));
    }
  }

  /** In the middle of a response. */
  #breakOff(): void {
    if (this.#isOver || this.#responseOf === undefined) return;
    this.#end(brokenOff(this.#came.length, promisedLength(pairsOf(this.#responseOf.rawHeaders))));
  }

  #timeOut(): void {
    const { incoming, outgoing } = this.#client;
    if (outgoing.writableNeedDrain) {
      this.#silence?.refresh();
      return;
    }
    const within = `for ${this.#settings.timeoutMs / 1000} s`;
    const told = this.#responseOf === undefined ? { status: 504 } : {};
    if (!this.#isConnected)
      this.#end({ kind: "unexplained", reason: `${nameOf(this.#target)} took no connection ${within}`, ...told });
    else if (!incoming.readableEnded && !incoming.isPaused())
      this.#end({ kind: "unexplained", reason: `the client was silent in the middle of its request ${within}` });
    else this.#end({ kind: "timed-out", reason: `${nameOf(this.#target)} was silent ${within}`, ...told });
    this.#request.destroy();
  }

  /** What passes through a tunnel is not looked at; the exchange is the handshake. */
  #tunnel(response: IncomingMessage, upstream: Duplex, head: Buffer): void {
    const { socket } = this.#client.outgoing;
    if (this.#isOver || socket === null || !this.#client.isHandshake) {
      upstream.destroy();
      this.#end({ kind: "reset", reason: "the target changed the protocol without being asked" });
      return;
    }
    this.#responseOf = response;
    this.#watch.responded();
    this.#isOver = true;
    void this.#taken(this.#response(response)).then(() => {
      socket.write(headOf(101, response.statusMessage ?? "", pairsOf(response.rawHeaders)));
      socket.write(head);
      join(socket, upstream);
    });
  }

  #end(offence: Offence): void {
    if (this.#isOver) return;
    this.#isOver = true;
    void this.#taken(this.#brokenBy(offence)).then(() => refuse(this.#client, offence, this.#isReset));
  }

  #brokenBy({ kind, reason }: Offence): FailedResponse {
    const response = this.#responseOf;
    if (response === undefined) return { type: "broken", kind, reason };
    const headers = pairsOf(response.rawHeaders);
    const body = this.#came.body();
    const bodyLength = promisedLength(headers) ?? this.#came.length;
    const partial = { status: response.statusCode ?? 0, headers, body, bodyLength };
    return { type: "broken", kind, reason, partial };
  }

  /** Resolves when the exchange was taken, or was not in time. */
  async #taken(response: Response | FailedResponse): Promise<void> {
    clearTimeout(this.#silence);
    const { incoming } = this.#client;
    const request: Request = {
      method: incoming.method ?? "GET",
      target: `${this.#target.base.origin}${pathAt(this.#target, pathOf(incoming.url ?? "/"))}`,
      headers: this.#headers,
      body: this.#sent.body(),
    };
    const { startedAt, durationMs, timings } = this.#watch.stop();
    const passed: Passed = {
      exchange: { startedAt, durationMs, request, response },
      reasonPhrase: this.#responseOf?.statusMessage ?? "",
      timings,
      requestBytes: this.#sent.length,
      responseBytes: this.#came.length,
      leftOut: this.#leftOut(),
    };
    await inTime(this.#settings.onExchange(passed), this.#settings.heldMsMax);
  }
}

/** Waits for a promise no longer than that. */
function inTime(promise: Promise<void>, msMax: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, msMax);
    void promise.finally(() => {
      clearTimeout(limit);
      resolve();
    });
  });
}

function requestHeaders(
  { incoming: { rawHeaders, httpVersion }, isHandshake }: ClientSide,
  { base }: Target,
): HeaderList {
  const received = pairsOf(rawHeaders);
  // A handshake is about the connection, which becomes a tunnel.
  const headers = addressed(isHandshake ? received : endToEnd(received), base.host);
  // HTTP/1.0 has no need of a host, and we speak 1.1. A request of 1.1 without one is for the target to refuse.
  const isMissing = httpVersion === "1.0" && headerValues(headers, "host").length === 0;
  return isMissing ? [["Host", base.host], ...headers] : headers;
}

function open(
  { method = "GET", url = "/" }: IncomingMessage,
  target: Target,
  { headers, agent }: { readonly headers: HeaderList; readonly agent: Agent },
): ClientRequest {
  const { protocol, hostname, port } = target.base;
  const request = (protocol === "https:" ? httpsRequest : httpRequest)({
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    method,
    path: pathAt(target, pathOf(url)),
    headers: headers.flat(),
    setDefaultHeaders: false,
    agent,
    maxHeaderSize: headBytesMax,
  });
  request.maxHeadersCount = 0;
  return request;
}

/** Writes the head of the response, and nothing that is not the target's. */
function begin({ incoming, outgoing, isHandshake }: ClientSide, response: IncomingMessage, headers: HeaderList): void {
  const isOld = incoming.httpVersion === "1.0";
  // Who asked whether to send a body, and was answered otherwise, sends it or not: what comes next cannot be told apart.
  const isUnsent = incoming.headers.expect !== undefined && !incoming.readableEnded;
  if (isOld || isUnsent || isHandshake) outgoing.shouldKeepAlive = false;
  outgoing.sendDate = false;
  for (const name of ["Connection", "Content-Length", "Transfer-Encoding"]) outgoing.removeHeader(name);
  // A client of HTTP/1.0 cannot read chunks; its response ends with the connection.
  const sent = isOld ? headers.filter(([name]) => name.toLowerCase() !== "transfer-encoding") : headers;
  outgoing.writeHead(response.statusCode ?? 0, response.statusMessage ?? "", sent.flat());
}

function headOf(status: number, reason: string, headers: HeaderList): Buffer {
  const lines = [`HTTP/1.1 ${status} ${reason}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** A client must see what breaks as it would without us: an end before its time or a reset, after all that came. */
function refuse({ outgoing }: ClientSide, { status, reason }: Offence, isReset: boolean): void {
  const { socket } = outgoing;
  if (status !== undefined && !outgoing.headersSent) {
    explain(outgoing, status, reason);
    return;
  }
  if (outgoing.headersSent) outgoing.flushHeaders();
  if (isReset && socket !== null) socket.write("", () => socket.resetAndDestroy());
  else socket?.destroySoon();
}
