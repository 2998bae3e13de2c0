import type { HeaderList } from "./header.ts";

/** An HTTP request as a value: `target` is path and query as sent (or a whole URL, as a client names it), `body` the bytes as received. */
export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** The body as text, if it was built from text. Omit it when changing the body. */
  readonly text?: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A request with a text body. The bytes are encoded on first access by a getter, so spreading the object loses them. */
export class TextRequest implements Request {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly text: string;

  constructor(method: string, target: string, headers: HeaderList, text: string) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.text = text;
  }

  get body(): Uint8Array {
    return encoder.encode(this.text);
  }
}

/** The same request to another target. */
export function withTarget(request: Request, target: string): Request {
  const { method, headers, text } = request;
  return text === undefined ? { ...request, target } : new TextRequest(method, target, headers, text);
}

/** The body of a request as text; invalid UTF-8 is replaced. */
export function bodyText(request: Pick<Request, "text" | "body">): string {
  return request.text ?? decoder.decode(request.body);
}

/** The length of a body: characters of a text, otherwise bytes. */
export function bodyLength(request: Pick<Request, "text" | "body">): number {
  return request.text === undefined ? request.body.length : request.text.length;
}
