import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { ByteBudget } from "../../foundation/http/growing-bytes.ts";
import { type HeaderList, headerPairs, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { NetworkRoute } from "../client/route.ts";
import { explain } from "./_explain.ts";
import { type FailedConnection, type Failure, failureBeforeHead, failureDuringBody } from "./_failure.ts";
import { join, pass, passTrailers } from "./_pass.ts";
import { Stopwatch } from "./_stopwatch.ts";
import { BodyTap } from "./body-tap.ts";
import type { ForwardedExchange } from "./forwarded-exchange.ts";
import { addressed, endToEnd, promisedLength } from "./forwarded-headers.ts";
import { nameOf, pathAt, pathOf, type Target } from "./targets.ts";

/** Options of every forwarded exchange. */
export interface ForwardOptions {
  /** Maximum silence of the target; then the exchange ends. */
  readonly timeoutMs: number;
  /** Maximum body size to record. A longer body is forwarded, but omitted from the exchange. */
  readonly bodyBytesMax: number;
  /** Maximum size of all bodies in progress. Bodies beyond it are forwarded, but omitted from their exchanges. */
  readonly bufferedBytesMax: number;
  /** Monotonic wall time in fractional milliseconds. */
  readonly nowMs: () => number;
  /** Receives each finished exchange. The last byte of the response waits for it, at most `heldMsMax`. */
  readonly onExchange: (forwarded: ForwardedExchange) => Promise<void>;
  readonly heldMsMax: number;
}

/** The client's side of an exchange. */
interface ClientSide {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the client requests a protocol upgrade. */
  readonly isHandshake: boolean;
}

/** Where an exchange goes. */
interface Way {
  readonly target: Target;
  readonly route: NetworkRoute;
  /** Connections to the target. */
  readonly agent: Agent;
  /** The bodies of all exchanges in progress. */
  readonly held: ByteBudget;
}

/** Maximum size of a head in bytes, on either side. */
export const headBytesMax: number = 256 * 1024;

/** Forwards one request to its target and the response back, both as streams, and reports the exchange. */
export class Forwarding {
  readonly #client: ClientSide;
  readonly #target: Target;
  readonly #route: NetworkRoute;
  readonly #settings: ForwardOptions;
  readonly #request: ClientRequest;
  readonly #headers: HeaderList;
  readonly #watch: Stopwatch;
  readonly #sent: BodyTap;
  readonly #received: BodyTap;
  #silence: NodeJS.Timeout | undefined;
  #responseOf: IncomingMessage | undefined;
  #isConnected = false;
  #isReset = false;
  #isOver = false;
  /** The chunk that completes the response. */
  #last: Uint8Array | undefined;

  /** Throws if Node cannot send the request. */
  constructor(client: ClientSide, { target, route, agent, held }: Way, settings: ForwardOptions) {
    this.#client = client;
    this.#target = target;
    this.#route = route;
    this.#settings = settings;
    this.#watch = new Stopwatch(settings.nowMs);
    this.#sent = new BodyTap(settings.bodyBytesMax, held);
    this.#received = new BodyTap(settings.bodyBytesMax, held);
    this.#headers = requestHeaders(client, target);
    const { method = "GET", url = "/" } = client.incoming;
    const options = { method, agent, maxHeaderSize: headBytesMax };
    this.#request = route.open(pathAt(target, pathOf(url)), this.#headers, options);
    this.#request.maxHeadersCount = 0;
  }

  begin(): void {
    const { incoming, outgoing } = this.#client;
    this.#silence = setTimeout(() => this.#timeOut(), this.#settings.timeoutMs);
    this.#listen();
    outgoing.once("close", () => {
      this.#end({ kind: "unexplained", reason: "the client disconnected" });
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
    // Forwards the head even if the body has not arrived.
    setImmediate(() => {
      if (!incoming.readableEnded && !this.#request.destroyed) this.#request.flushHeaders();
    });
  }

  #listen(): void {
    const { incoming, outgoing } = this.#client;
    const request = this.#request;
    request.on("socket", (socket) => {
      // Heads are forwarded as bytes; Node would write some of them as UTF-8.
      socket.setDefaultEncoding("latin1");
      this.#isConnected = !socket.connecting;
      if (!this.#isConnected)
        socket.once(this.#target.base.protocol === "https:" ? "secureConnect" : "connect", () => {
          this.#isConnected = true;
          this.#watch.connected();
        });
    });
    request.on("information", ({ statusCode, statusMessage, rawHeaders }) => {
      // An interim response (RFC 9110 §15.2). Node cannot write it unchanged, and HTTP/1.0 does not support it.
      if (incoming.httpVersion !== "1.0")
        outgoing.socket?.write(headOf(statusCode, statusMessage, endToEnd(headerPairs(rawHeaders))));
    });
    request.on("response", (response) => this.#receive(response));
    request.on("upgrade", (response, upstream, head) => this.#tunnel(response, upstream, head));
    request.on("error", (error) => this.#fail(error));
    // Discards further client data, so the client does not block.
    request.on("close", () => incoming.resume());
  }

  #receive(response: IncomingMessage): void {
    const { incoming, outgoing } = this.#client;
    this.#responseOf = response;
    this.#watch.responded();
    this.#silence?.refresh();
    const headers = endToEnd(headerPairs(response.rawHeaders));
    begin(this.#client, response, headers);
    const hasBody = incoming.method !== "HEAD" && response.statusCode !== 204 && response.statusCode !== 304;
    const promised = hasBody ? promisedLength(headers) : 0;
    pass(response, outgoing, (chunk) => {
      this.#silence?.refresh();
      this.#received.add(chunk);
      if (promised === undefined || this.#received.length < promised) return true;
      // The last chunk of a body with a known length is held until the exchange is recorded.
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
    void this.#report(this.#response(response)).then(() => {
      if (this.#last !== undefined) outgoing.write(this.#last);
      passTrailers(response, outgoing);
      outgoing.end();
    });
  }

  #response(response: IncomingMessage): Response | FailedResponse {
    const { statusCode: status = 0, rawHeaders } = response;
    const headers = headerPairs(rawHeaders);
    const body = this.#received.body();
    const omission = this.#omissionReason();
    if (omission === undefined) return { type: "response", status, headers, body };
    const partial = { status, headers, body, bodyLength: this.#received.length };
    return { type: "broken", kind: "unexplained", reason: omission, partial };
  }

  #omissionReason(): string | undefined {
    const tap = [this.#received, this.#sent].find(({ omission }) => omission !== undefined);
    if (tap === undefined) return undefined;
    const { bodyBytesMax, bufferedBytesMax } = this.#settings;
    const whose = tap === this.#received ? "response" : "request";
    if (tap.omission === "too-long")
      return `the ${whose} body is omitted: ${tap.length} bytes exceed the limit of ${bodyBytesMax}`;
    return `the ${whose} body is omitted: all bodies in progress exceed the limit of ${bufferedBytesMax} bytes`;
  }

  /** Handles an error of the connection to the target. */
  #fail(error: Error): void {
    // Only a read error distinguishes a reset from an end.
    if ("syscall" in error && error.syscall === "read") this.#isReset = true;
    if (this.#responseOf !== undefined) this.#breakOff();
    else {
      const connection: FailedConnection = {
        target: this.#target,
        proxy: this.#route.proxy,
        isConnected: this.#isConnected,
        isKept: this.#request.reusedSocket,
      };
      this.#end(failureBeforeHead(error, connection));
    }
  }

  /** Ends the exchange during a response. */
  #breakOff(): void {
    if (this.#isOver || this.#responseOf === undefined) return;
    this.#end(failureDuringBody(this.#received.length, promisedLength(headerPairs(this.#responseOf.rawHeaders))));
  }

  #timeOut(): void {
    const { incoming, outgoing } = this.#client;
    if (outgoing.writableNeedDrain) {
      this.#silence?.refresh();
      return;
    }
    const within = `for ${this.#settings.timeoutMs / 1000} s`;
    const status = this.#responseOf === undefined ? { status: 504 } : {};
    if (!this.#isConnected)
      this.#end({ kind: "unexplained", reason: `${nameOf(this.#target)} accepted no connection ${within}`, ...status });
    else if (!incoming.readableEnded && !incoming.isPaused())
      this.#end({ kind: "unexplained", reason: `the client sent nothing during its request ${within}` });
    else this.#end({ kind: "timed-out", reason: `${nameOf(this.#target)} sent nothing ${within}`, ...status });
    this.#request.destroy();
  }

  /** Opens a tunnel after an upgrade. The exchange is the handshake; tunnel data is not recorded. */
  #tunnel(response: IncomingMessage, upstream: Duplex, head: Buffer): void {
    const { socket } = this.#client.outgoing;
    if (this.#isOver || socket === null || !this.#client.isHandshake) {
      upstream.destroy();
      this.#end({ kind: "reset", reason: "the target switched protocols without an upgrade request" });
      return;
    }
    this.#responseOf = response;
    this.#watch.responded();
    this.#isOver = true;
    void this.#report(this.#response(response)).then(() => {
      socket.write(headOf(101, response.statusMessage ?? "", headerPairs(response.rawHeaders)));
      socket.write(head);
      join(socket, upstream);
    });
  }

  #end(failure: Failure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    void this.#report(this.#brokenBy(failure)).then(() => refuse(this.#client, failure, this.#isReset));
  }

  #brokenBy({ kind, reason }: Failure): FailedResponse {
    const response = this.#responseOf;
    if (response === undefined) return { type: "broken", kind, reason };
    const headers = headerPairs(response.rawHeaders);
    const body = this.#received.body();
    const bodyLength = promisedLength(headers) ?? this.#received.length;
    const partial = { status: response.statusCode ?? 0, headers, body, bodyLength };
    return { type: "broken", kind, reason, partial };
  }

  /** Reports the exchange. Resolves when it is processed, or after `heldMsMax`. */
  async #report(response: Response | FailedResponse): Promise<void> {
    clearTimeout(this.#silence);
    const { incoming } = this.#client;
    const request: Request = {
      method: incoming.method ?? "GET",
      target: `${this.#target.base.origin}${pathAt(this.#target, pathOf(incoming.url ?? "/"))}`,
      headers: this.#headers,
      body: this.#sent.body(),
    };
    const { startedAt, durationMs, timings } = this.#watch.stop();
    const forwarded: ForwardedExchange = {
      exchange: { startedAt, durationMs, request, response },
      reasonPhrase: this.#responseOf?.statusMessage ?? "",
      timings,
      requestBytes: this.#sent.length,
      responseBytes: this.#received.length,
      omission: this.#omissionReason(),
    };
    const processed = this.#settings.onExchange(forwarded).finally(() => {
      this.#sent.release();
      this.#received.release();
    });
    await inTime(processed, this.#settings.heldMsMax);
  }
}

/** Waits for a promise, at most `msMax` milliseconds. */
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
  const received = headerPairs(rawHeaders);
  // A handshake keeps its connection headers.
  const headers = addressed(isHandshake ? received : endToEnd(received), base.host);
  // HTTP/1.0 does not require Host, but the proxy sends 1.1. The target refuses a 1.1 request without Host.
  const isMissing = httpVersion === "1.0" && headerValues(headers, "host").length === 0;
  return isMissing ? [["Host", base.host], ...headers] : headers;
}

/** Writes the response head with the headers of the target only. */
function begin({ incoming, outgoing, isHandshake }: ClientSide, response: IncomingMessage, headers: HeaderList): void {
  const isOld = incoming.httpVersion === "1.0";
  // A client with Expect may send its body or not after a final response, so the next bytes are ambiguous.
  const isUnsent = incoming.headers.expect !== undefined && !incoming.readableEnded;
  if (isOld || isUnsent || isHandshake) outgoing.shouldKeepAlive = false;
  outgoing.sendDate = false;
  for (const name of ["Connection", "Content-Length", "Transfer-Encoding"]) outgoing.removeHeader(name);
  // An HTTP/1.0 client cannot read chunks; its response ends with the connection.
  const sent = isOld ? headers.filter(([name]) => name.toLowerCase() !== "transfer-encoding") : headers;
  outgoing.writeHead(response.statusCode ?? 0, response.statusMessage ?? "", sent.flat());
}

function headOf(status: number, reason: string, headers: HeaderList): Buffer {
  const lines = [`HTTP/1.1 ${status} ${reason}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** Breaks off the client side like the target: an early end or a reset, after all received data. */
function refuse({ outgoing }: ClientSide, { status, reason }: Failure, isReset: boolean): void {
  const { socket } = outgoing;
  if (status !== undefined && !outgoing.headersSent) {
    explain(outgoing, status, reason);
    return;
  }
  if (outgoing.headersSent) outgoing.flushHeaders();
  if (isReset && socket !== null) socket.write("", () => socket.resetAndDestroy());
  else socket?.destroySoon();
}
