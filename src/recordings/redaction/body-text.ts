import { headerValues } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import { decompressed } from "./decompressed.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether the body is sent without a content coding. */
export function isNotEncoded({ headers }: Message): boolean {
  return headerValues(headers, "content-encoding").every((coding) => coding === "" || coding === "identity");
}

/** The body as text, its bytes decompressed if the Content-Encoding says so, as HAR stores it; undefined for bytes that are not UTF-8. */
export function bodyText(message: Message): string | undefined {
  const { body } = message;
  if (body.isText) return body.text();
  try {
    return decoder.decode(isNotEncoded(message) ? body.bytes() : decompressed(body.bytes()));
  } catch {
    return undefined;
  }
}
