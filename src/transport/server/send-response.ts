import type { IncomingMessage, ServerResponse } from "node:http";
import { emptyBody } from "../../foundation/http/body.ts";
import type { EventStream } from "../../foundation/http/event-stream.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { CountedLimits } from "../../foundation/limits/counted-limits.ts";

export type ServedResponse = Response | FailedResponse | EventStream;

/** A request with the context to respond to it. */
export interface ResponseContext {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly settings: {
    /** Whether every origin may read responses, without credentials. */
    readonly isCorsAllowed: boolean;
    readonly limits: CountedLimits;
  };
  readonly open: {
    /** Responses that never complete on purpose. */
    readonly silent: Set<ServerResponse>;
    readonly isClosing: boolean;
  };
}

/** Sends the result of a handler: a response, a broken response or an event stream. */
export function sendResponse(responding: ResponseContext, received: ServedResponse): void {
  if (received.type === "events") sendEvents(responding, received);
  else if (received.type === "broken" && received.kind === "timed-out") keepSilent(responding);
  else if (received.type === "broken") breakOff(responding, received);
  else writeResponse(responding, received);
}

function writeResponse({ settings, outgoing, open }: ResponseContext, response: Response): void {
  const content = response.body.isText ? response.body.text() : response.body.bytes();
  const length = Buffer.byteLength(content);
  const head: string[] = [];
  for (const [name, value] of response.headers) if (!isOfServer(name, settings.isCorsAllowed)) head.push(name, value);
  if (settings.isCorsAllowed)
    head.push("Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", "Understudy-Reason");
  if (open.isClosing) head.push("Connection", "close");
  head.push("Content-Length", String(length));
  outgoing.writeHead(response.status, head);
  // A text goes out in one write with its head; with a byte for each character it need not be encoded.
  outgoing.end(content, length === content.length ? "latin1" : "utf8");
}

/** Whether the server sets this header itself. */
function isOfServer(name: string, isCorsAllowed: boolean): boolean {
  if (name.length === "content-length".length && name.toLowerCase() === "content-length") return true;
  return isCorsAllowed && corsFields.has(name.toLowerCase());
}

const corsFields: ReadonlySet<string> = new Set(["access-control-allow-origin", "access-control-expose-headers"]);

function keepSilent({ outgoing, open }: Pick<ResponseContext, "outgoing" | "open">): void {
  open.silent.add(outgoing);
  outgoing.once("close", () => open.silent.delete(outgoing));
}

/** Opens an event stream. A closing server does not wait for it; a listener that does not read is disconnected. */
function sendEvents({ settings: { limits }, outgoing, open }: ResponseContext, events: EventStream): void {
  for (const [name, value] of events.headers) outgoing.appendHeader(name, value);
  keepSilent({ outgoing, open });
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

/** Breaks a response like a failing node: a reset, or a truncated body. */
function breakOff({ incoming, outgoing }: ResponseContext, { partial }: FailedResponse): void {
  if (partial === undefined) {
    incoming.socket.resetAndDestroy();
    return;
  }
  for (const [name, value] of partial.headers) outgoing.appendHeader(name, value);
  outgoing.statusCode = partial.status;
  outgoing.setHeader("Content-Length", partial.bodyLength);
  outgoing.write(partial.body.bytes(), () => incoming.socket.destroy());
}

export function preflight(): Response {
  const headers: HeaderList = [
    ["Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE"],
    ["Access-Control-Allow-Headers", "Authorization, Content-Type, Understudy-World, traceparent"],
    ["Access-Control-Max-Age", "600"],
  ];
  return { type: "response", status: 204, headers, body: emptyBody };
}

export function failPlainly(outgoing: ServerResponse): void {
  if (!outgoing.headersSent) outgoing.writeHead(500, { "Content-Type": "text/plain; charset=UTF-8" });
  outgoing.end("Internal error. This is a bug in Understudy; the output of the server has the details.");
}
