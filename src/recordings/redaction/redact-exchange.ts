import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { type HeaderList, mediaType } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { redactionMark } from "../../foundation/secrets/secret-name.ts";
import { bodyText, isNotEncoded, withoutZeros } from "./body-text.ts";
import { isCompressed } from "./decompressed.ts";
import { nowhere, prosePlace } from "./place.ts";
import { redactBytes } from "./redact-bytes.ts";
import { redactHeaders } from "./redact-headers.ts";
import { redactQuery, redactTarget } from "./redact-target.ts";
import type { Renaming } from "./renaming.ts";
import type { ValueRedactor } from "./value-redactor.ts";

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
  const body = redactBody(message, redactor, renaming);
  return { headers: body === message.body ? headers : resized(headers, message.body, body), body };
}

function redactBody(message: Message, redactor: ValueRedactor, renaming: Renaming): Body {
  const { body, headers } = message;
  const text = bodyText(message);
  if (text === undefined) return redactBinary(message, redactor, renaming);
  const redacted = redactTextBody(text, headers, redactor);
  return redacted === text && (body.isText || isNotEncoded(message)) ? body : new Body(redacted);
}

function resized(headers: HeaderList, before: Body, after: Body): HeaderList {
  return headers.map(([name, value]) =>
    name.toLowerCase() === "content-length" && value === String(before.size)
      ? [name, String(after.size)]
      : [name, value],
  );
}

const forms = "application/x-www-form-urlencoded";

function redactTextBody(text: string, headers: HeaderList, redactor: ValueRedactor): string {
  return mediaType(headers) === forms ? redactQuery(text, redactor) : redactor.body(text);
}

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
