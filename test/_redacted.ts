import type { Exchange } from "../src/foundation/http/exchange.ts";
import type { HeaderList } from "../src/foundation/http/header.ts";
import { createRedactor, type Redactor, type RedactorOptions } from "../src/recordings/redaction/redactor.ts";
import { exchangeOf, type GivenExchange } from "./_exchange.ts";

/** The parts of an exchange in which redaction finds names and secrets. */
export interface Shown {
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: string;
  readonly response: string;
}

/** A POST whose bodies are bytes, as a recorder gets them. */
export function sent({ body = "", responseBody = "", ...given }: GivenExchange): Exchange {
  const bytes = (content: unknown) =>
    content instanceof Uint8Array
      ? content
      : new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content));
  return exchangeOf({
    method: "POST",
    target: "/v2/idps",
    ...given,
    body: bytes(body),
    responseBody: bytes(responseBody),
  });
}

export function shown({ request, response }: Exchange): Shown {
  const responded = response.type === "response" ? response.body.text() : "";
  return { target: request.target, headers: request.headers, body: request.body.text(), response: responded };
}

/** An exchange after redaction by a redactor, or by a fresh one with these options. */
export function redacted(given: GivenExchange, by: Redactor | RedactorOptions = {}): Shown {
  return shown(("redact" in by ? by : createRedactor(by)).redact(sent(given)));
}
