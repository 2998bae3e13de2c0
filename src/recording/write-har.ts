import type { Broken } from "../http/broken.ts";
import type { Exchange } from "../http/exchange.ts";
import { type HeaderList, headerValues } from "../http/header.ts";
import { formatJson, type JsonObject } from "../http/json.ts";
import type { Response } from "../http/response.ts";
import { isSecretHeader } from "../http/secret-header.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

const leftOut = "(left out)";

/** HAR 1.2 text of exchanges, the values of secret headers left out. A body that is not UTF-8 is written as base64; an answer that never came has status 0. */
export function writeHar(exchanges: readonly Exchange[], creatorVersion: string): string {
  const log = {
    version: "1.2",
    creator: { name: "canton-understudy", version: creatorVersion },
    entries: exchanges.map((exchange) => entryOf(exchange)),
  };
  return `${formatJson({ log }, 2)}\n`;
}

/** What of a header field is written. */
type ShownHeader = (name: string, value: string) => string;

/** An entry of HAR 1.2. The values of secret headers are left out; who has scrubbed them already shows what they are now. */
export function entryOf(
  { startedAt, durationMs, request, answer }: Exchange,
  shown: ShownHeader = withoutSecret,
): JsonObject {
  const url = absoluteUrl(request.target, request.headers);
  const search = url.split("?")[1] ?? "";
  const { text } = contentOf(request.body);
  const mimeType = headerValues(request.headers, "content-type")[0] ?? "application/json";
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      method: request.method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headersOf(request.headers, shown),
      queryString: [...new URLSearchParams(search)].map(([name, value]) => ({ name, value })),
      ...(request.body.length === 0 ? {} : { postData: { mimeType, text } }),
      headersSize: -1,
      bodySize: request.body.length,
    },
    response: answer.type === "response" ? responseOf(answer, shown) : { ...emptyResponse, comment: commentOn(answer) },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

/** The kind, so that it can be read back, and what more is known. */
function commentOn({ kind, reason }: Broken): string {
  return reason === undefined ? kind : `${kind}: ${reason}`;
}

function absoluteUrl(target: string, headers: HeaderList): string {
  if (/^https?:\/\//i.test(target)) return target;
  return `http://${headerValues(headers, "host")[0] ?? "localhost"}${target}`;
}

function responseOf({ status, headers, body }: Response, shown: ShownHeader): JsonObject {
  return {
    ...emptyResponse,
    status,
    headers: headersOf(headers, shown),
    content: {
      size: body.length,
      mimeType: headerValues(headers, "content-type")[0] ?? "application/octet-stream",
      ...contentOf(body),
    },
    bodySize: body.length,
  };
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

function contentOf(body: Uint8Array): { readonly text: string; readonly encoding?: string } {
  try {
    return { text: decoder.decode(body) };
  } catch {
    return { text: btoa(Array.from(body, (byte) => String.fromCharCode(byte)).join("")), encoding: "base64" };
  }
}

function headersOf(headers: HeaderList, shown: ShownHeader): readonly JsonObject[] {
  return headers.map(([name, value]) => ({ name, value: shown(name, value) }));
}

function withoutSecret(name: string, value: string): string {
  return isSecretHeader(name) ? leftOut : value;
}
