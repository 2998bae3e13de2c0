import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange, WebSocketMessage } from "../../foundation/http/exchange.ts";
import type { FailedResponse, PartialResponse } from "../../foundation/http/failed-response.ts";
import { type HeaderList, headerValue } from "../../foundation/http/header.ts";
import type { Response } from "../../foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, textOfJson } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, optionalTextOf, textOf } from "../../foundation/json/members.ts";
import { timestampOf } from "../../foundation/text/timestamp.ts";
import { bodyOfContent, decodedContent, headersOf, pseudoHeader, tooLong } from "./har-message.ts";
import { harRequest } from "./har-request.ts";
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
  if (typeof request["url"] !== "string" && value["startedDateTime"] === undefined) return undefined;
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
  const sent = objectOf(entry["request"]);
  const request = harRequest(sent, limits);
  const messages = messagesOf(entry);
  const received = responseOf(objectOf(entry["response"]), request, limits);
  const exchange = {
    startedAt: startOf(entry["startedDateTime"]),
    durationMs: durationOf(entry),
    request,
    response: isBodyLeftOut(sent, request) ? withoutRequestBody(received) : received,
    ...(isOfCache(entry) ? ({ isCached: true } as const) : {}),
    ...(messages.length === 0 ? {} : { messages }),
  };
  return within(exchange, limits);
}

/** The start; a number is seconds, milliseconds or microseconds since 1970, by its size. */
function startOf(start: Json | undefined): string {
  const epoch = typeof start === "number" ? start : Number(/^\d{9,16}(?:\.\d+)?$/.exec(textOf(start))?.[0]);
  if (!(epoch > 1e8 && epoch < 1e17)) return textOf(start);
  return timestampOf(epoch < 1e11 ? epoch * 1000 : epoch < 1e14 ? epoch : epoch / 1000);
}

/** The duration in milliseconds; the sum of the timings where `time` is missing or negative. */
function durationOf({ time, timings }: JsonObject): number {
  if (typeof time === "number" && time >= 0) return time;
  const { blocked, dns, connect, send, wait, receive } = objectOf(timings);
  const known = [blocked, dns, connect, send, wait, receive].filter((part) => typeof part === "number");
  return known.reduce((sum, part) => sum + Math.max(0, part), 0);
}

/** Whether the browser had the response: `_fromCache` of Chrome, `_fetchType` of Safari. */
function isOfCache({ _fromCache: fromCache, _fetchType: fetchType }: JsonObject): boolean {
  return (fromCache !== undefined && fromCache !== null && fromCache !== false) || /cache/i.test(textOf(fetchType));
}

/** The messages of a WebSocket, which Chrome, Playwright and proxies add to its entry. */
function messagesOf(entry: JsonObject): readonly WebSocketMessage[] {
  return objectsOf(entry["_webSocketMessages"]).map(({ type, time, opcode, data }) => ({
    type: textOf(type),
    ...(typeof time === "number" ? { time } : {}),
    opcode: typeof opcode === "number" ? opcode : 1,
    data: textOf(data),
  }));
}

/** Whether the export lacks the JSON of a request that had some. A size of -1 is unknown; methods with a JSON type have a body then. */
function isBodyLeftOut(sent: JsonObject, { method, headers, body }: Exchange["request"]): boolean {
  const { bodySize, postData } = sent;
  const isJson = /json/i.test(headerValue(headers, "content-type") ?? textOf(objectOf(postData)["mimeType"]));
  const sizes = [Number(bodySize ?? 0), Number(headerValue(headers, "content-length") ?? 0)];
  const isAnnounced = sizes.some((size) => size > 0) || objectOf(postData)["_file"] !== undefined;
  const isExpected = bodySize === -1 && /^(?:POST|PUT|PATCH)$/.test(method);
  return isJson && (isAnnounced || isExpected) && body.storedLength === 0;
}

const noRequestBody = 'the recording has no request body; export it with its content (Playwright: content: "embed")';

/** The response to a request that the recording lacks: it is kept, but not checked. */
export function withoutRequestBody(received: Exchange["response"], reason: string = noRequestBody): FailedResponse {
  if (received.type === "broken") return received;
  const { status, headers, body } = received;
  return { type: "broken", kind: "unexplained", reason, partial: { status, headers, body, bodyLength: body.size } };
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

/** The response; a failed one if the status is 0 or, from Playwright, -1. */
function responseOf(
  response: JsonObject,
  { method }: Exchange["request"],
  limits: RecordingLimits,
): Response | FailedResponse {
  const status = Number(response["status"] ?? pseudoHeader(response["headers"], ":status"));
  if (!(status > 0)) return brokenResponse(response);
  const content = objectOf(response["content"]);
  const headers = responseHeaders(response, content);
  const failure = ownFailure(response);
  if (failure !== undefined) return { ...failure, partial: partialOf({ status, headers }, content, limits) };
  const mayHaveBody = method !== "HEAD" && status >= 200 && status !== 204;
  if (mayHaveBody && isLeftOut(content)) {
    const partial = partialOf({ status, headers }, content, limits);
    return { type: "broken", kind: "unexplained", reason: noBody(content), partial };
  }
  return { type: "response", status, headers, body: bodyOfContent(content, headers, limits) };
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
  const isMissing = optionalTextOf(text) === undefined;
  return isMissing ? size !== 0 : text === "" && typeof size === "number" && size > 0;
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

/** Adds the media type of the content and the cookies of the list, if the headers lack them. */
function responseHeaders(response: JsonObject, content: JsonObject): HeaderList {
  const headers = headersOf(response["headers"]);
  const cookies = objectsOf(response["cookies"]).map(({ name, value }) => `${textOf(name)}=${textOf(value)}`);
  const added = [["Content-Type", textOf(content["mimeType"])], ...cookies.map((cookie) => ["Set-Cookie", cookie])];
  return [
    ...headers,
    ...added.flatMap(([name = "", value = ""]) =>
      value === "" || headerValue(headers, name) !== undefined ? [] : [[name, value] as const],
    ),
  ];
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
