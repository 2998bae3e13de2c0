import type { Exchange } from "../http/exchange.ts";
import type { HeaderList } from "../http/header.ts";
import { isSecretHeader } from "../http/secret-header.ts";
import { createMask, leftOut, type Mask } from "./mask.ts";

const maskOfAll = createMask();
const decoder = new TextDecoder();

/** An exchange to be handed on: as it was, but for what is secret in its target, its headers and its bodies. */
export function maskedExchange(exchange: Exchange, mask: Mask = maskOfAll): Exchange {
  const { request, answer } = exchange;
  const { method, target } = request;
  const asked = { method, target: mask(target), ...maskedMessage(request, mask) };
  if (answer.type === "response") {
    const { type, status } = answer;
    return { ...exchange, request: asked, answer: { type, status, ...maskedMessage(answer, mask) } };
  }
  const { partial } = answer;
  if (partial === undefined) return { ...exchange, request: asked };
  return {
    ...exchange,
    request: asked,
    answer: { ...answer, partial: { ...partial, ...maskedMessage(partial, mask) } },
  };
}

interface Message {
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** Bytes in which nothing is left out stay as they are, whatever they are. */
function maskedMessage({ headers, body }: Message, mask: Mask): Message {
  const text = decoder.decode(body);
  const shown = mask(text);
  return {
    headers: headers.map(([name, value]) => [name, isSecretHeader(name) ? leftOut : mask(value)] as const),
    body: shown === text ? body : new TextEncoder().encode(shown),
  };
}
