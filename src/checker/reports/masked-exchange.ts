import { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import { readableText } from "../../foundation/http/readable-text.ts";
import type { Request } from "../../foundation/http/request.ts";
import { createMask, type Mask, maskedHeaders } from "../../foundation/secrets/mask.ts";
import { secretsOf } from "../../foundation/secrets/secrets-of.ts";

/** Redacts the secrets in target, headers and bodies of an exchange. */
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

function maskedRequest(request: Request, mask: Mask): Request {
  const { method, target } = request;
  return { method, target: mask(target), ...maskedMessage(request, mask) };
}

/** Redacts headers and body. A body without secrets stays unchanged. A correct Content-Length is updated. */
function maskedMessage({ headers, body }: Message, mask: Mask): Message {
  const text = readableText(body);
  const masked = mask(text);
  const shown = masked === text ? body : new Body(masked);
  const length = String(body.size);
  const resized = headers.map(([name, value]): HeaderList[number] => [
    name,
    name.toLowerCase() === "content-length" && value === length ? String(shown.size) : value,
  ]);
  return { headers: maskedHeaders(resized, mask), body: shown };
}
