import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { createMask, type Mask } from "../../foundation/secrets/mask.ts";
import { isSecretHeader } from "../../foundation/secrets/secret-header.ts";
import { leftOut } from "../../foundation/secrets/secret-name.ts";
import { secretsOf } from "../../foundation/secrets/secrets-of.ts";

const decoder = new TextDecoder();

/** An exchange to be handed on: as it was, but for what is secret in its target, its headers and its bodies. */
export function maskedExchange(exchange: Exchange): Exchange {
  const mask = createMask(secretsOf(exchange).map(({ text }) => text));
  const { response } = exchange;
  const request = maskedRequest(exchange.request, mask);
  if (response.type === "response") {
    const { type, status } = response;
    return { ...exchange, request, response: { type, status, ...maskedMessage(response, mask) } };
  }
  const { partial } = response;
  if (partial === undefined) return { ...exchange, request };
  return { ...exchange, request, response: { ...response, partial: { ...partial, ...maskedMessage(partial, mask) } } };
}

/** A request to be shown in any form that is made of it. */
function maskedRequest(request: Request, mask: Mask): Request {
  const { method, target } = request;
  return { method, target: mask(target), ...maskedMessage(request, mask) };
}

interface Message {
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** Bytes in which nothing is left out stay as they are, whatever they are; a length that told the body's tells that of the new one. */
function maskedMessage({ headers, body }: Message, mask: Mask): Message {
  const text = decoder.decode(body);
  const masked = mask(text);
  const shown = masked === text ? body : new TextEncoder().encode(masked);
  return { headers: headers.map((field) => maskedField(field, body, shown, mask)), body: shown };
}

function maskedField(
  [name, value]: HeaderList[number],
  before: Uint8Array,
  after: Uint8Array,
  mask: Mask,
): HeaderList[number] {
  if (isSecretHeader(name)) return [name, leftOut];
  const isLength = name.toLowerCase() === "content-length" && value === String(before.length);
  return [name, isLength ? String(after.length) : mask(value)];
}
