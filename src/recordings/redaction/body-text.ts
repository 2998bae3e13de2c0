import { type HeaderList, headerValues } from "../../foundation/http/header.ts";
import { decompressed } from "./decompressed.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The headers and the body of a request or a response. */
export interface Message {
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly text?: string;
}

/** Whether the body is sent without a content coding. */
export function isNotEncoded({ headers }: Message): boolean {
  return headerValues(headers, "content-encoding").every((coding) => coding === "" || coding === "identity");
}

/** The body as text, decompressed if its Content-Encoding says so, as HAR stores it; undefined for bytes that are not UTF-8. */
export function bodyText(message: Message): string | undefined {
  try {
    return decoder.decode(isNotEncoded(message) ? message.body : decompressed(message.body));
  } catch {
    return undefined;
  }
}
