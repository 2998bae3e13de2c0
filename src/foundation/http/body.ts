import type { Json } from "../json/json.ts";
import { utf8Length } from "../text/utf8.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The body of a message: text, a text in parts, or bytes. Conversions are not cached, so a kept body takes memory once, and
 * responses can share parts. Only a text that is sent again and again has its bytes, too.
 */
export class Body {
  /** What the body was created from. */
  readonly content: string | readonly string[] | Uint8Array;
  /** The bytes of a text that is sent again and again. Responses share them, so they must not be changed. */
  readonly encoded: Uint8Array | undefined;

  constructor(content: string | readonly string[] | Uint8Array, encoded?: Uint8Array) {
    this.content = content;
    this.encoded = encoded;
  }

  /** Whether the body was created from text. The text of bytes may have replacement characters. */
  get isText(): boolean {
    return !ArrayBuffer.isView(this.content);
  }

  /** The body as text. Bytes that are not UTF-8 are replaced by U+FFFD, and a byte order mark is omitted. */
  text(): string {
    const { content } = this;
    if (typeof content === "string") return content;
    return ArrayBuffer.isView(content) ? decoder.decode(content) : content.join("");
  }

  /**
   * The body as JSON, of the type that the caller names, which is not checked. Throws SyntaxError if the body is not JSON.
   *
   * @example
   * const page = understudy.journal[0]?.response.body?.json<UsersPage>();
   */
  json<Value = Json>(): Value {
    return JSON.parse(this.text());
  }

  /** The body as bytes; text is encoded as UTF-8. */
  bytes(): Uint8Array {
    return ArrayBuffer.isView(this.content) ? this.content : encoder.encode(this.text());
  }

  /** The size in bytes. */
  get size(): number {
    return ArrayBuffer.isView(this.content) ? this.content.length : utf8Length(this.text());
  }

  /** Characters of a text, otherwise bytes: at most `size`, and cheap. 0 only for an empty body. */
  get storedLength(): number {
    const { content } = this;
    if (typeof content === "string" || ArrayBuffer.isView(content)) return content.length;
    let length = 0;
    for (const part of content) length += part.length;
    return length;
  }
}

/** A body of text. One that begins with a byte order mark becomes bytes, so that it reads as the bytes of its sender do. */
export function bodyOfText(text: string): Body {
  return new Body(text.startsWith("\ufeff") ? encoder.encode(text) : text);
}

export const emptyBody: Body = new Body("");
