import type { HeaderList } from "./header.ts";

/** A complete HTTP answer. */
export interface Response {
  readonly type: "response";
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** The body as text, where it came as one; whoever changes the body leaves it out. */
  readonly text?: string;
}

const encoder = new TextEncoder();

/**
 * Whoever sends a text as it is needs no bytes of it, so they are made when somebody looks at them. The text itself is
 * kept in its parts, which many responses share.
 */
class JsonResponse implements Response {
  readonly type: "response";
  readonly status: number;
  readonly headers: HeaderList;
  readonly #parts: readonly string[];
  #body: Uint8Array | undefined;

  constructor(status: number, headers: HeaderList, parts: readonly string[]) {
    this.type = "response";
    this.status = status;
    this.headers = headers;
    this.#parts = parts;
  }

  static partsOf(response: Response): readonly string[] | undefined {
    return response instanceof JsonResponse ? response.#parts : undefined;
  }

  get text(): string {
    return this.#parts.join("");
  }

  get body(): Uint8Array {
    this.#body ??= encoder.encode(this.text);
    return this.#body;
  }
}

/** A response with a text body; `contentType` is left out when undefined. */
export function textResponse(status: number, contentType: string | undefined, text: string): Response {
  const headers: HeaderList = contentType === undefined ? [] : [["Content-Type", contentType]];
  return { type: "response", status, headers, body: encoder.encode(text) };
}

/** A response with JSON, as a text in parts that follow each other. Body and text are no members of its own: a spread loses them. */
export function jsonResponse(status: number, parts: readonly string[]): Response {
  return new JsonResponse(status, jsonHeaders, parts);
}

const jsonHeaders: HeaderList = [["Content-Type", "application/json"]];

/** The length of a body in characters where it is a text, in bytes otherwise: near enough for a bound, and known at once. */
export function lengthOf(response: Response): number {
  const parts = JsonResponse.partsOf(response);
  if (parts === undefined) return response.body.length;
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

/** The response with more header fields. */
export function withHeaders(response: Response, more: HeaderList): Response {
  return { ...response, headers: [...response.headers, ...more], body: response.body };
}
