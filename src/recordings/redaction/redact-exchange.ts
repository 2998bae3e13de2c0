import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { bodyText, isNotEncoded, type Message } from "./body-text.ts";
import { nowhere, prosePlace } from "./place.ts";
import { redactBytes } from "./redact-bytes.ts";
import { redactHeaders } from "./redact-headers.ts";
import { redactQuery, redactTarget } from "./redact-target.ts";
import type { Renaming } from "./renaming.ts";
import type { ValueRedactor } from "./value-redactor.ts";

const encoder = new TextEncoder();

/** Redacts an exchange: first the request, since the response repeats its names. */
export function redactExchange(exchange: Exchange, redactor: ValueRedactor, renaming: Renaming): Exchange {
  const request = redactRequest(exchange.request, redactor, renaming);
  return { ...exchange, request, response: redactResponse(exchange.response, redactor, renaming) };
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
  const text = message.text ?? bodyText(message);
  if (text === undefined) {
    const body = redactBinary(message, redactor, renaming);
    return body === message.body ? { headers, body } : { headers: resized(headers, message, body), body };
  }
  const redacted = redactTextBody(text, message.headers, redactor);
  if (redacted === text && message.text === undefined && isNotEncoded(message)) return { headers, body: message.body };
  return withText(redacted, headers, message);
}

/** A message whose body bytes are encoded on first access. */
function withText(text: string, headers: HeaderList, message: Message): Message {
  let bytes: Uint8Array | undefined;
  const bodyOf = () => {
    bytes ??= encoder.encode(text);
    return bytes;
  };
  const told = headerValues(headers, "content-length")[0];
  return {
    headers: told === undefined ? headers : resized(headers, message, bodyOf()),
    text,
    get body() {
      return bodyOf();
    },
  };
}

function resized(headers: HeaderList, before: Message, after: Uint8Array): HeaderList {
  const length = String(before.body.length);
  return headers.map(([name, value]) =>
    name.toLowerCase() === "content-length" && value === length ? [name, String(after.length)] : [name, value],
  );
}

const forms = "application/x-www-form-urlencoded";

function redactTextBody(text: string, headers: HeaderList, redactor: ValueRedactor): string {
  return mediaType(headers) === forms ? redactQuery(text, redactor) : redactor.body(text);
}

/** Drops a body that cannot be decompressed, since its identifiers are unknown. */
function redactBinary(message: Message, redactor: ValueRedactor, renaming: Renaming): Uint8Array {
  if (message.body.length > 0 && !isNotEncoded(message)) return new Uint8Array();
  const text = (value: string) => redactor.text(value, nowhere, 1);
  return redactBytes(message.body, { text, renaming, isProtobuf: false, isPage: false });
}
