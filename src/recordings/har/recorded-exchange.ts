import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse, PartialResponse } from "../../foundation/http/failed-response.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, textOfJson } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { bytesOfBase64 } from "../../foundation/text/base64.ts";
import { isUtf8 } from "../../foundation/text/utf8.ts";
import { decodedBody } from "./content-coding.ts";
import { BeyondLimit, hasTooManyValues, type RecordingLimits, recordingLimits } from "./recording-limits.ts";

/**
 * The exchange in an entry of HAR 1.2, including those of browsers and proxies (base64 bodies, missing bodies, pseudo-headers), or in
 * a handwritten exchange: `{ request: { method, url, headers, body }, response: { status, headers, body } }`. Undefined if the value is
 * neither. Throws BeyondLimit for a body that exceeds a limit.
 */
export function recordedExchange(value: Json, limits: RecordingLimits = recordingLimits): Exchange | undefined {
  if (!isJsonObject(value)) return undefined;
  const { request, response } = { request: value["request"], response: value["response"] };
  if (!isJsonObject(request) || !isJsonObject(response)) return undefined;
  if (!isNoted(value, request)) return entryExchange(value, limits);
  const status = response["status"];
  return typeof status === "number" ? within(notedExchange(request, response, status), limits) : undefined;
}

/** Whether the exchange is handwritten: without a time, and with headers as an object instead of a list. */
function isNoted(value: JsonObject, request: JsonObject): boolean {
  return value["startedDateTime"] === undefined && !Array.isArray(request["headers"]);
}

/** The exchange in an element of `log.entries`; missing members are empty. Throws BeyondLimit for a body that exceeds a limit. */
export function entryExchange(entry: JsonObject, limits: RecordingLimits = recordingLimits): Exchange {
  const request = objectOf(entry["request"]);
  const response = objectOf(entry["response"]);
  const url = textOf(request["url"]);
  const exchange = {
    startedAt: textOf(entry["startedDateTime"]),
    durationMs: typeof entry["time"] === "number" ? entry["time"] : 0,
    request: requestOf(request, url, limits),
    response: responseOf(response, limits),
  };
  return within(exchange, limits);
}

/** The exchange, if its URL and its bodies are within the limits. Throws BeyondLimit otherwise. */
export function within(exchange: Exchange, limits: RecordingLimits): Exchange {
  const { request, response } = exchange;
  const { recordedUrlLengthMax } = limits;
  if (request.target.length > recordedUrlLengthMax)
    throw new BeyondLimit(`a URL exceeds the limit of ${recordedUrlLengthMax} characters (recordedUrlLengthMax)`);
  checkBody(request.body, limits);
  const received = response.type === "response" ? response : response.partial;
  if (received !== undefined) checkBody(received.body, limits);
  return exchange;
}

function checkBody(body: Body, limits: RecordingLimits): void {
  const { recordedBodyBytesMax, recordedValuesMax } = limits;
  // A character has at most three bytes, and a value at least one character.
  const isTooLong = body.storedLength * 3 > recordedBodyBytesMax && body.size > recordedBodyBytesMax;
  if (isTooLong) throw tooLong(limits);
  if (body.storedLength <= recordedValuesMax) return;
  const text = body.text();
  if (startsAsJson.test(text) && hasTooManyValues(text, limits))
    throw new BeyondLimit(`a body exceeds the limit of ${recordedValuesMax} JSON values (recordedValuesMax)`);
}

const startsAsJson = /^[ \n\r\t]*[[{]/;

function tooLong({ recordedBodyBytesMax }: RecordingLimits): BeyondLimit {
  return new BeyondLimit(`a body exceeds the limit of ${recordedBodyBytesMax} bytes (recordedBodyBytesMax)`);
}

function requestOf(request: JsonObject, url: string, limits: RecordingLimits): Request {
  const postData = objectOf(request["postData"]);
  const text = textOf(postData["text"]);
  const method = textOf(request["method"]).toUpperCase();
  const headers = requestHeaders(request, url);
  // HAR has no encoding for request bodies, so recorders add one.
  const isBase64 = [postData["_encoding"], postData["encoding"]].includes("base64");
  const decoded = isBase64 ? base64Bytes(text, limits) : undefined;
  if (decoded !== undefined) return { method, target: url, headers, body: uncompressed(headers, decoded, limits) };
  return { method, target: url, headers, body: new Body(text) };
}

const hostIn = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)/i;

/** Adds the host from the URL without user and password, since HTTP/2 recordings have no Host header. */
function requestHeaders(request: JsonObject, url: string): HeaderList {
  const headers = headersOf(request["headers"]);
  if (hasHeader(headers, "host")) return headers;
  const host = hostIn.exec(url)?.[1];
  return host === undefined ? headers : [...headers, ["Host", host]];
}

/** The response; a failed one if the status is 0 or, from Playwright, -1. */
function responseOf(response: JsonObject, limits: RecordingLimits): Response | FailedResponse {
  const status = response["status"];
  if (typeof status !== "number" || status <= 0) return brokenResponse(response);
  const content = objectOf(response["content"]);
  const headers = responseHeaders(response, content);
  const failure = ownFailure(response);
  if (failure !== undefined) return { ...failure, partial: partialOf({ status, headers }, content, limits) };
  if (isLeftOut(content)) {
    const partial = partialOf({ status, headers }, content, limits);
    return { type: "broken", kind: "unexplained", reason: noBody(content), partial };
  }
  const decoded = decodedContent(content, limits);
  const body = decoded === undefined ? new Body(textOf(content["text"])) : uncompressed(headers, decoded, limits);
  return { type: "response", status, headers, body };
}

/** Decodes a body. HAR requires decoded bodies with original headers, but some recorders store the encoded bytes. */
function uncompressed(headers: HeaderList, bytes: Uint8Array, limits: RecordingLimits): Body {
  const isCompressed = hasHeader(headers, "content-encoding") && !isUtf8(bytes);
  return new Body((isCompressed ? decodedBody(headers, bytes, limits) : undefined) ?? bytes);
}

function decodedContent(content: JsonObject, limits: RecordingLimits): Uint8Array | undefined {
  return content["encoding"] === "base64" ? base64Bytes(textOf(content["text"]), limits) : undefined;
}

/** The bytes of base64, which has four characters for three bytes. */
function base64Bytes(text: string, limits: RecordingLimits): Uint8Array | undefined {
  if ((text.length / 4) * 3 > limits.recordedBodyBytesMax + 3) throw tooLong(limits);
  return bytesOfBase64(text);
}

/** The received part of an incomplete response. */
function partialOf(
  head: Pick<PartialResponse, "status" | "headers">,
  content: JsonObject,
  limits: RecordingLimits,
): PartialResponse {
  const body = new Body(decodedContent(content, limits) ?? textOf(content["text"]));
  const { size } = content;
  return { ...head, body, bodyLength: typeof size === "number" ? size : body.size };
}

/** Whether the export has no text of a content that is not said to be empty. */
function isLeftOut({ text, size }: JsonObject): boolean {
  return text === undefined && size !== 0;
}

/** Why the recording has no body, and how to export one. Playwright names the file of a body in `_file`. */
function noBody({ _file: file }: JsonObject): string {
  return file === undefined
    ? "the recording has no body; export it with its content"
    : 'the recording has the body in a file of its own; record it with content: "embed"';
}

/** A failed response: Chrome writes the reason to `_error`, Playwright to `_failureText`, Understudy to `comment`. */
function brokenResponse(response: JsonObject): FailedResponse {
  const failure = ownFailure(response);
  if (failure !== undefined) return failure;
  const texts = [response["_error"], response["_failureText"], response["comment"]].map(textOf);
  const reason = texts.find((text) => text !== "");
  return reason === undefined ? { type: "broken", kind: "unexplained" } : broken(kindIn(reason), reason);
}

/** The failure in a comment that Understudy wrote. */
function ownFailure(response: JsonObject): FailedResponse | undefined {
  const [kind = "", reason = ""] = textOf(response["comment"]).split(/: (.*)/s);
  const known = kinds.find((candidate) => candidate === kind);
  if (known === undefined) return undefined;
  return reason === "" ? { type: "broken", kind: known } : broken(known, reason);
}

const kinds = ["reset", "truncated", "timed-out", "too-large", "unexplained"] as const;

function broken(kind: FailedResponse["kind"], reason: string): FailedResponse {
  return { type: "broken", kind, reason };
}

/** The kind of failure in an error text of a browser or proxy. */
function kindIn(reason: string): FailedResponse["kind"] {
  if (/timed?[ _-]?out/i.test(reason)) return "timed-out";
  // The client aborted, blocked or cancelled the request.
  if (/ERR_ABORTED|ERR_BLOCKED|cancel/i.test(reason)) return "unexplained";
  return /CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED|PARTIAL_TRANSFER/i.test(reason) ? "truncated" : "reset";
}

/** Adds the media type of the content, if the headers lack it. */
function responseHeaders(response: JsonObject, content: JsonObject): HeaderList {
  const headers = headersOf(response["headers"]);
  if (hasHeader(headers, "content-type")) return headers;
  const mimeType = textOf(content["mimeType"]);
  return mimeType === "" ? headers : [...headers, ["Content-Type", mimeType]];
}

function hasHeader(headers: HeaderList, lowerName: string): boolean {
  for (const [name] of headers) if (name.length === lowerName.length && name.toLowerCase() === lowerName) return true;
  return false;
}

/** Header fields without HTTP/2's pseudo-headers. */
function headersOf(value: Json | undefined): HeaderList {
  if (!Array.isArray(value)) return [];
  const headers: (readonly [string, string])[] = [];
  for (const field of value) {
    const { name, value: text } = objectOf(field);
    if (typeof name === "string" && name !== "" && !name.startsWith(":")) headers.push([name, textOf(text)]);
  }
  return headers;
}

function notedExchange(request: JsonObject, response: JsonObject, status: number): Exchange {
  return {
    startedAt: "1970-01-01T00:00:00.000Z",
    durationMs: 0,
    request: {
      method: textOfJson(request["method"] ?? "GET"),
      target: textOfJson(request["url"] ?? ""),
      headers: notedHeaders(request["headers"]),
      body: notedBody(request["body"]),
    },
    response: {
      type: "response",
      status,
      headers: notedHeaders(response["headers"]),
      body: notedBody(response["body"]),
    },
  };
}

/** The body of a handwritten message: a string unchanged, any other value as JSON. */
function notedBody(body: Json | undefined): Body {
  return body === undefined ? emptyBody : new Body(typeof body === "string" ? body : formatJson(body));
}

function notedHeaders(headers: Json | undefined): HeaderList {
  return Object.entries(objectOf(headers)).map(([name, value]) => [name, textOfJson(value)]);
}
