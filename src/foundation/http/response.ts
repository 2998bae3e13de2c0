import type { HeaderList } from "./header.ts";

/** A complete HTTP response. */
export interface Response {
  readonly type: "response";
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** The body as text, if it was built from text. Omit it when changing the body. */
  readonly text?: string;
}

const encoder = new TextEncoder();

/**
 * A JSON response. The bytes are encoded on first access, since a sender of text does not need them. The text is kept in
 * parts, which many responses share.
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

/** A response with a text body; without a Content-Type header if `contentType` is undefined. */
export function textResponse(status: number, contentType: string | undefined, text: string): Response {
  const headers: HeaderList = contentType === undefined ? [] : [["Content-Type", contentType]];
  return { type: "response", status, headers, body: encoder.encode(text) };
}

/** A JSON response whose text is the concatenation of `parts`. Body and text are getters, so spreading the object loses them. */
export function jsonResponse(status: number, parts: readonly string[]): Response {
  return new JsonResponse(status, jsonHeaders, parts);
}

const jsonHeaders: HeaderList = [["Content-Type", "application/json"]];

/** The length of a body: characters of a text, otherwise bytes. Cheap, and exact enough for limits. */
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
