import { Body, bodyOfText, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange, WebSocketMessage } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { type HeaderList, mediaType } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { isSecretHeader, redactionMark } from "../../foundation/secrets/secret-name.ts";
import { base64OfBytes, bytesOfBase64 } from "../../foundation/text/base64.ts";
import { bodyText, isNotEncoded, withoutZeros } from "./body-text.ts";
import { isCompressed } from "./decompressed.ts";
import { nowhere, prosePlace } from "./place.ts";
import { redactBytes } from "./redact-bytes.ts";
import { redactHeaderSecrets } from "./redact-secrets.ts";
import { redactQuery, redactTarget } from "./redact-target.ts";
import type { Renaming } from "./renaming.ts";
import type { ValueRedactor } from "./value-redactor.ts";

/** Redacts an exchange: first the request, since the response repeats its names. */
export function redactExchange(exchange: Exchange, redactor: ValueRedactor, renaming: Renaming): Exchange {
  const request = redactRequest(exchange.request, redactor, renaming);
  const response = redactResponse(exchange.response, redactor, renaming);
  const { messages } = exchange;
  if (messages === undefined) return { ...exchange, request, response };
  const redacted = messages.map((message) => redactWebSocket(message, redactor, renaming));
  return { ...exchange, request, response, messages: redacted };
}

function redactWebSocket(message: WebSocketMessage, redactor: ValueRedactor, renaming: Renaming): WebSocketMessage {
  const bytes = message.opcode === 1 ? undefined : bytesOfBase64(message.data);
  const body = redactBody({ headers: [], body: new Body(bytes ?? message.data) }, redactor, renaming);
  return { ...message, data: bytes === undefined ? body.text() : base64OfBytes(body.bytes()) };
}

function redactRequest(request: Request, redactor: ValueRedactor, renaming: Renaming): Request {
  const target = redactTarget(request.target, redactor);
  const headers = redactHeaders(request.headers, redactor, renaming);
  return { method: request.method, target, ...redactMessage(request, headers, redactor, renaming) };
}

function redactResponse(
  response: Response | FailedResponse,
  redactor: ValueRedactor,
  renaming: Renaming,
): Response | FailedResponse {
  if (response.type === "broken") return redactBroken(response, redactor, renaming);
  const { type, status } = response;
  const headers = redactHeaders(response.headers, redactor, renaming);
  return { type, status, ...redactMessage(response, headers, redactor, renaming) };
}

function redactBroken(broken: FailedResponse, redactor: ValueRedactor, renaming: Renaming): FailedResponse {
  const { kind, reason, partial } = broken;
  const headers = redactHeaders(partial?.headers ?? [], redactor, renaming);
  return {
    type: "broken",
    kind,
    ...(reason === undefined ? {} : { reason: redactor.text(reason, prosePlace, 0) }),
    ...(partial === undefined
      ? {}
      : { partial: { ...partial, headers, body: redactMessage(partial, headers, redactor, renaming).body } }),
  };
}

/** Redacts the body. `headers` are redacted already; a correct Content-Length is adapted to the new body. */
function redactMessage(message: Message, headers: HeaderList, redactor: ValueRedactor, renaming: Renaming): Message {
  const body = redactBody(message, redactor, renaming);
  return { headers: body === message.body ? headers : resized(headers, message.body, body), body };
}

function redactBody(message: Message, redactor: ValueRedactor, renaming: Renaming): Body {
  const { body, headers } = message;
  const text = bodyText(message);
  if (text === undefined) return redactBinary(message, redactor, renaming);
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const read = text.slice(mark.length);
  const redacted = mediaType(headers) === forms ? redactQuery(read, redactor) : redactor.body(read);
  return redacted === read && (body.isText || isNotEncoded(message)) ? body : bodyOfText(mark + redacted);
}

function resized(headers: HeaderList, before: Body, after: Body): HeaderList {
  return headers.map(([name, value]) =>
    name.toLowerCase() === "content-length" && value === String(before.size)
      ? [name, String(after.size)]
      : [name, value],
  );
}

const forms = "application/x-www-form-urlencoded";

/** Drops a body that cannot be decompressed or that has secrets in an unknown encoding, since its identifiers are unknown. */
function redactBinary(message: Message, redactor: ValueRedactor, renaming: Renaming): Body {
  if (!isNotEncoded(message)) return emptyBody;
  const bytes = message.body.bytes();
  const text = (value: string) => redactor.text(value, nowhere, 1);
  const knownSecrets = (value: string) => redactor.knownSecrets(value);
  const redacted = redactBytes(bytes, { text, knownSecrets, renaming, isProtobuf: false, isPage: false });
  const isHidden = isCompressed(bytes) || redactor.hasSecrets(withoutZeros(redacted));
  if (isHidden) return new Body(redactionMark);
  return redacted === bytes ? message.body : new Body(redacted);
}

const urls: ReadonlySet<string> = new Set(["referer", "location", "content-location", "origin"]);
const correlations =
  /^(?:x-)?(?:request|correlation|trace|transaction|amzn-trace|client-request|amzn-request)-?id$|^(?:idempotency-key|x-cloud-trace-context|x-amz-cf-id|cf-ray)$/;
const spans = /^x-b3-(?:parent)?(?:spanid|traceid)$/;
/** Headers without identifiers. */
const plain: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "host",
  "transfer-encoding",
  "user-agent",
  "vary",
]);

/** Replaces tokens, cookies and ids in header values; field names and order stay. */
function redactHeaders(headers: HeaderList, redactor: ValueRedactor, renaming: Renaming): HeaderList {
  let isChanged = false;
  const redacted = headers.map((field): readonly [string, string] => {
    const [name, value] = field;
    const replacement = value === "" ? value : headerValue(name.toLowerCase(), value, redactor, renaming);
    if (replacement === value) return field;
    isChanged = true;
    return [name, replacement];
  });
  return isChanged ? redacted : headers;
}

function headerValue(name: string, value: string, redactor: ValueRedactor, renaming: Renaming): string {
  if (name === "tracestate")
    return value.replaceAll(/=([^,]+)/g, (_, state: string) => `=${renaming.secret(state, "trace-state")}`);
  if (isSecretHeader(name) || (name === "host" && value.includes("@")))
    return redactor.text(redactHeaderSecrets(name, value, renaming), nowhere, 0);
  if (plain.has(name) && !value.includes("::") && !redactor.mayHaveSecrets(value)) return value;
  if (urls.has(name)) return redactTarget(value, redactor);
  if (spans.test(name) && /^[0-9a-f]{16}$/.test(value)) return renaming.hex(value, "span");
  return redactor.member(value, correlations.test(name) ? "correlationId" : "error");
}
