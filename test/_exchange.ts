import { Body } from "../src/foundation/http/body.ts";
import type { Exchange } from "../src/foundation/http/exchange.ts";
import type { FailedResponse } from "../src/foundation/http/failed-response.ts";
import type { HeaderList } from "../src/foundation/http/header.ts";
import type { Response } from "../src/foundation/http/response.ts";

export interface GivenExchange {
  readonly startedAt?: string;
  readonly durationMs?: number;
  /** GET without a request body, POST with one. */
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderList;
  /** The body of the request: text, bytes, or a value that is sent as JSON. */
  readonly body?: unknown;
  readonly status?: number;
  readonly responseHeaders?: HeaderList;
  /** The body of the response, like `body`. */
  readonly responseBody?: unknown;
  /** Replaces the whole response. */
  readonly response?: Response | FailedResponse;
}

const json: HeaderList = [["Content-Type", "application/json"]];

/** An exchange in short form: `GET /v2/users` with 200 and an empty body of JSON, but for what is given. */
export function exchangeOf(given: GivenExchange = {}): Exchange {
  const { startedAt = "2026-01-01T00:00:00.000Z", durationMs = 1, target = "/v2/users", headers = [] } = given;
  const { body, method = body === undefined ? "GET" : "POST", status = 200, responseHeaders = json } = given;
  const response = { type: "response", status, headers: responseHeaders, body: bodyOf(given.responseBody) } as const;
  return {
    startedAt,
    durationMs,
    request: { method, target, headers, body: bodyOf(body) },
    response: given.response ?? response,
  };
}

/** A body of text, of bytes, or of a value as JSON. */
export function bodyOf(content: unknown = ""): Body {
  if (content instanceof Body) return content;
  if (typeof content === "string" || content instanceof Uint8Array) return new Body(content);
  return new Body(JSON.stringify(content));
}
