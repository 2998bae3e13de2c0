const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The body of a message. Text, text in parts, or bytes stay as given; each call of `text` or `bytes` converts them anew. So a
 * kept body takes its space once, and parts that several responses share take it once for all.
 */
export class Body {
  /** The body as given. */
  readonly content: string | readonly string[] | Uint8Array;

  constructor(content: string | readonly string[] | Uint8Array) {
    this.content = content;
  }

  /** Whether the body was given as text, which is exact; the text of bytes may have replaced characters. */
  get isText(): boolean {
    return !ArrayBuffer.isView(this.content);
  }

  /** The body as text. Bytes that are not UTF-8 are replaced by U+FFFD, and a byte order mark is omitted. */
  text(): string {
    const { content } = this;
    if (typeof content === "string") return content;
    return ArrayBuffer.isView(content) ? decoder.decode(content) : content.join("");
  }

  /** The body as bytes; text is encoded as UTF-8. */
  bytes(): Uint8Array {
    return ArrayBuffer.isView(this.content) ? this.content : encoder.encode(this.text());
  }

  /** The size in bytes. Text is encoded to measure it; limits use `storedLength`. */
  get size(): number {
    return this.bytes().length;
  }

  /** Characters of a text, otherwise bytes: never more than `size`, 0 only for an empty body, and known at once. */
  get storedLength(): number {
    const { content } = this;
    if (typeof content === "string" || ArrayBuffer.isView(content)) return content.length;
    let length = 0;
    for (const part of content) length += part.length;
    return length;
  }
}

export const emptyBody: Body = new Body("");
