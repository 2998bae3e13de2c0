import { charsetIn, headerValue, headerValues } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import { latinOfBytes } from "../../foundation/text/base64.ts";
import { wideText } from "../../foundation/text/wide-text.ts";
import { decompressed, isCompressed } from "./decompressed.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether the body is sent without a content coding. */
export function isNotEncoded({ headers }: Message): boolean {
  return headerValues(headers, "content-encoding").every((coding) => coding === "" || coding === "identity");
}

/** The body as text, as HAR stores it: decompressed, and decoded by its charset; undefined for bytes that are no text. */
export function bodyText(message: Message): string | undefined {
  const { body } = message;
  if (body.isText) return body.text();
  return textOfBytes(
    body.bytes(),
    !isNotEncoded(message),
    charsetIn(headerValue(message.headers, "content-type") ?? ""),
  );
}

/** Bytes as text; undefined if they are no text. Compressed bytes are decompressed, also where nothing says that they are. */
export function textOfBytes(bytes: Uint8Array, isCoded: boolean, charset?: string): string | undefined {
  try {
    const plain = isCoded || isCompressed(bytes) ? decompressed(bytes) : bytes;
    if (isCompressed(plain)) return undefined;
    return wideText(plain, charset) ?? decoder.decode(plain);
  } catch {
    return undefined;
  }
}

/** The bytes of ASCII among zero bytes, which belong to characters of UTF-16 and UTF-32 that nothing announces. */
export function withoutZeros(bytes: Uint8Array): string {
  return bytes.includes(0) ? latinOfBytes(bytes.filter((byte) => byte !== 0)) : "";
}
