import type { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { JsonObject } from "../../foundation/json/json.ts";

/** Details of an exchange that only a recorder knows. */
export interface EntryDetails {
  readonly reasonPhrase?: string;
  /** Milliseconds that add up to the duration; no `connect` for a reused connection. */
  readonly timings?: {
    readonly connect: number | undefined;
    readonly send: number;
    readonly wait: number;
    readonly receive: number;
  };
  /** Sizes of the bodies as sent, in bytes, if the exchange has them decoded or lacks them. */
  readonly requestBytes?: number;
  readonly responseBytes?: number;
}

/**
 * An exchange as an entry of HAR 1.2. A body that is not UTF-8 is base64; that of a request is marked by `_encoding`, since
 * HAR has no encoding for it. An incomplete response has its kind and reason as comment, and status 0 if
 * its head is missing too.
 */
export function harEntry(
  { startedAt, durationMs, request, response: received, isCached, messages }: Exchange,
  details: EntryDetails = {},
): JsonObject {
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: requestOf(request, details),
    response: received.type === "response" ? responseOf(received, details) : brokenResponse(received, details),
    cache: {},
    timings: timingsOf(durationMs, details),
    ...(isCached === true ? { _fromCache: "memory" } : {}),
    ...(messages === undefined ? {} : { _webSocketMessages: messages.map((message) => ({ ...message })) }),
  };
}

function requestOf(request: Request, { requestBytes }: EntryDetails): JsonObject {
  const url = absoluteUrl(request.target, request.headers);
  const { text, encoding } = contentOf(request.body);
  const mimeType = headerValues(request.headers, "content-type")[0] ?? "application/json";
  const bodySize = requestBytes ?? request.body.size;
  return {
    method: request.method,
    url,
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: headersOf(request.headers),
    queryString: [...new URLSearchParams(url.split("?")[1] ?? "")].map(([name, value]) => ({ name, value })),
    ...(bodySize === 0
      ? {}
      : { postData: { mimeType, text, ...(encoding === undefined ? {} : { _encoding: encoding }) } }),
    headersSize: -1,
    bodySize,
  };
}

/** A URL, also of a WebSocket, an extension, or of data in the page; not a host with a port. */
const isUrl = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:about|blob|data):)/i;

function absoluteUrl(target: string, headers: HeaderList): string {
  if (isUrl.test(target)) return target;
  const host = headerValues(headers, "host")[0] ?? "localhost";
  // A target that is not a path would continue the name of the host.
  return `http://${host}${/^[/?#]/.test(target) ? "" : "/"}${target}`;
}

interface Head extends Message {
  readonly status: number;
}

function responseOf({ status, headers, body }: Head, { reasonPhrase = "", responseBytes }: EntryDetails): JsonObject {
  const { size } = body;
  const bodySize = responseBytes ?? size;
  const saved = size - bodySize;
  return {
    ...emptyResponse,
    status,
    statusText: reasonPhrase,
    headers: headersOf(headers),
    content: {
      size,
      ...(saved === 0 ? {} : { compression: saved }),
      mimeType: headerValues(headers, "content-type")[0] ?? "application/octet-stream",
      ...contentOf(body),
    },
    redirectURL: headerValues(headers, "location")[0] ?? "",
    bodySize,
  };
}

function brokenResponse(received: FailedResponse, details: EntryDetails): JsonObject {
  const comment = received.reason === undefined ? received.kind : `${received.kind}: ${received.reason}`;
  const { partial } = received;
  if (partial === undefined) return { ...emptyResponse, comment };
  const response = responseOf(partial, { ...details, responseBytes: partial.body.size });
  const mimeType = headerValues(partial.headers, "content-type")[0] ?? "application/octet-stream";
  const content = {
    size: partial.bodyLength,
    mimeType,
    ...(partial.body.storedLength > 0 ? contentOf(partial.body) : {}),
  };
  return { ...response, content, bodySize: details.responseBytes ?? partial.body.size, comment };
}

const emptyResponse = {
  status: 0,
  statusText: "",
  httpVersion: "HTTP/1.1",
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: "" },
  redirectURL: "",
  headersSize: -1,
  bodySize: 0,
} as const;

function timingsOf(durationMs: number, { timings }: EntryDetails): JsonObject {
  if (timings === undefined) return { send: 0, wait: durationMs, receive: 0 };
  const { connect = -1, send, wait, receive } = timings;
  return { blocked: -1, dns: -1, connect, ssl: -1, send, wait, receive };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function contentOf(body: Body): { readonly text: string; readonly encoding?: string } {
  if (body.isText) return { text: body.text() };
  try {
    return { text: decoder.decode(body.bytes()) };
  } catch {
    return { text: Buffer.from(body.bytes()).toString("base64"), encoding: "base64" };
  }
}

function headersOf(headers: HeaderList): readonly JsonObject[] {
  return headers.map(([name, value]) => ({ name, value }));
}
