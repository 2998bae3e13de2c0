import { Body } from "./body.ts";
import type { HeaderList } from "./header.ts";
import type { Message } from "./message.ts";
import type { Transmission } from "./transmission.ts";

/** A complete HTTP response. */
export interface Response extends Message {
  readonly type: "response";
  readonly status: number;
  /** How a server sends it; undefined: at once. */
  readonly transmission?: Transmission | undefined;
  /** Whether the plan of a scenario decided it, not an operation. */
  readonly isPlanned?: true;
}

/** A response with a text body; without a Content-Type header if `contentType` is undefined. */
export function textResponse(status: number, contentType: string | undefined, text: string): Response {
  const headers: HeaderList = contentType === undefined ? [] : [["Content-Type", contentType]];
  return { type: "response", status, headers, body: new Body(text) };
}

/** A JSON response; its text is the concatenation of `parts`. */
export function jsonResponse(status: number, parts: readonly string[]): Response {
  return { type: "response", status, headers: jsonHeaders, body: new Body(parts) };
}

const jsonHeaders: HeaderList = [["Content-Type", "application/json"]];

/** The response with more header fields. */
export function withHeaders(response: Response, more: HeaderList): Response {
  return { ...response, headers: [...response.headers, ...more] };
}
