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

/** A response with a text body; `contentType` is left out when undefined. */
export function textResponse(status: number, contentType: string | undefined, text: string): Response {
  const headers: HeaderList = contentType === undefined ? [] : [["Content-Type", contentType]];
  return { type: "response", status, headers, body: encoder.encode(text) };
}
