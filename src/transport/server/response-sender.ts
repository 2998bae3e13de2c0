import type { ServerResponse } from "node:http";
import { emptyBody } from "../../foundation/http/body.ts";
import type { EventStream } from "../../foundation/http/event-stream.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { ServedResponse } from "../../foundation/http/handler.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { resetSocket } from "./reset-socket.ts";
import { Transmitter, type Wait } from "./transmitter.ts";

/** Characters from which the bytes of a text are as cheap to send as the text, and cheaper if they are at hand. */
const encodedCharactersMin = 4096;

interface SenderOptions {
  /** Whether every origin may read responses, without credentials. */
  readonly isCorsAllowed: boolean;
  readonly limits: CountedLimits;
  /** Waits in real time, for network faults; default setTimeout. */
  readonly wait?: Wait;
}

/** Sends the responses of a server. */
export class ResponseSender {
  readonly #options: SenderOptions;
  /** Responses that never complete on purpose; a closing server does not wait for them. */
  readonly #silent = new Set<ServerResponse>();
  readonly #transmitter: Transmitter;
  #hasEnded = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#transmitter = new Transmitter(options.wait);
  }

  /** Sends the result of a handler: a response, a broken response or an event stream. The last one ends the connection. */
  send(outgoing: ServerResponse, received: ServedResponse, isLast: boolean): void {
    if (received.type === "response") this.#sendResponse(outgoing, received, isLast);
    else if (received.type === "events") this.#sendEvents(outgoing, received);
    else if (received.kind === "timed-out") this.#keepSilent(outgoing);
    else this.#breakOff(outgoing, received);
  }

  /** Responds to a request whose handler failed. */
  sendFault(outgoing: ServerResponse): void {
    const headers = [["Content-Type", "text/plain; charset=UTF-8"], ...corsHeaders(this.#options.isCorsAllowed)];
    if (!outgoing.headersSent) outgoing.writeHead(500, headers.flat());
    outgoing.end("Internal error. This is a bug in Understudy; the output of the server has the details.");
  }

  /** Ends the waits of network faults, now and later: the rest of each response is sent at once. */
  hurry(): void {
    this.#transmitter.hurry();
  }

  /** Ends the responses that would not complete, now and later. */
  endSilent(): void {
    this.#hasEnded = true;
    for (const outgoing of this.#silent) outgoing.destroy();
  }

  #sendResponse(outgoing: ServerResponse, { status, headers, body, transmission }: Response, isLast: boolean): void {
    const { isCorsAllowed } = this.#options;
    // A short text goes out in one write with its head.
    const content =
      body.isText && body.storedLength < encodedCharactersMin ? body.text() : (body.encoded ?? body.bytes());
    const length = Buffer.byteLength(content);
    const head: string[] = [];
    for (const [name, value] of headers) if (!isOfServer(name, isCorsAllowed)) head.push(name, value);
    if (isCorsAllowed) head.push(...corsHeadersFlat);
    if (isLast || transmission?.slowCloseMs !== undefined) head.push("Connection", "close");
    head.push("Content-Length", String(length));
    outgoing.writeHead(status, head);
    if (transmission !== undefined) {
      this.#transmitter.send(outgoing, { body: body.bytes(), transmission, isComplete: true });
      return;
    }
    // A text with a byte for each character need not be encoded.
    outgoing.end(content, length === content.length ? "latin1" : "utf8");
  }

  /** Breaks a response like a failing node or network: a reset, with or without a part of the response, or a truncated body. */
  #breakOff(outgoing: ServerResponse, { partial, transmission = {} }: FailedResponse): void {
    if (partial === undefined) {
      resetSocket(outgoing.req.socket);
      return;
    }
    for (const [name, value] of partial.headers) outgoing.appendHeader(name, value);
    outgoing.statusCode = partial.status;
    outgoing.setHeader("Content-Length", partial.bodyLength);
    this.#transmitter.send(outgoing, { body: partial.body.bytes(), transmission, isComplete: false });
  }

  #keepSilent(outgoing: ServerResponse): void {
    if (this.#hasEnded) outgoing.destroy();
    this.#silent.add(outgoing);
    outgoing.once("close", () => this.#silent.delete(outgoing));
  }

  /** Opens an event stream. A listener that does not read is disconnected. */
  #sendEvents(outgoing: ServerResponse, events: EventStream): void {
    const { limits } = this.#options;
    for (const [name, value] of events.headers) outgoing.appendHeader(name, value);
    this.#keepSilent(outgoing);
    outgoing.flushHeaders();
    const close = events.open({
      send: (text) => {
        if (outgoing.destroyed) return;
        outgoing.write(text);
        if (outgoing.writableLength <= limits.values.eventBytesMax) return;
        limits.exceed("eventBytesMax");
        outgoing.destroy();
      },
      end: () => outgoing.end(),
    });
    outgoing.once("close", close);
  }
}

/** Whether no later request of the connection gets a response, as after an event stream. */
export function isLastOfConnection(received: ServedResponse): boolean {
  if (received.type === "response") return received.transmission?.slowCloseMs !== undefined;
  return received.type === "events" || received.kind === "timed-out";
}

/** The bytes of a body that is sent in pieces; undefined for other responses. */
export function pacedBytes(received: ServedResponse): number | undefined {
  if (received.type === "events" || received.transmission === undefined) return undefined;
  return (received.type === "response" ? received : received.partial)?.body.storedLength;
}

/** Whether the server sets this header itself. */
export function isOfServer(name: string, isCorsAllowed: boolean): boolean {
  if (name.length === "content-length".length && name.toLowerCase() === "content-length") return true;
  return isCorsAllowed && corsNames.has(name.toLowerCase());
}

const methods: readonly string[] = ["GET", "POST", "PATCH", "DELETE"];

const corsFields: HeaderList = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", "Understudy-Reason, Understudy-Warning"],
];
const corsHeadersFlat: readonly string[] = corsFields.flat();
const corsNames: ReadonlySet<string> = new Set(corsFields.map(([name]) => name.toLowerCase()));

/** The headers that let a page of any origin read a response. */
export function corsHeaders(isCorsAllowed: boolean): HeaderList {
  return isCorsAllowed ? corsFields : [];
}

/** The response to a preflight request: the requested method and headers are allowed, and access to a private network. */
export function preflight({ headers: requested }: Request): Response {
  const asked = (name: string): string => headerValues(requested, `access-control-request-${name}`).join(", ");
  const method = asked("method");
  const headers: HeaderList = [
    ["Access-Control-Allow-Methods", [...new Set([...methods, method])].filter((one) => one !== "").join(", ")],
    ["Access-Control-Allow-Headers", asked("headers") || "Authorization, Content-Type, Understudy-World, traceparent"],
    ...(asked("private-network") === "" ? [] : [["Access-Control-Allow-Private-Network", "true"] as const]),
    ["Vary", "Access-Control-Request-Headers, Access-Control-Request-Method"],
    ["Access-Control-Max-Age", "600"],
  ];
  return { type: "response", status: 204, headers, body: emptyBody };
}

/** Sends `100 Continue`, but not before earlier responses: Node would write it into them. */
export function sendContinue(outgoing: ServerResponse): void {
  if (outgoing.socket !== null) outgoing.writeContinue();
  else
    outgoing.once("socket", () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
}
