import { wideText } from "../text/wide-text.ts";
import type { Body } from "./body.ts";

/** A body as text for people, also in UTF-16 and UTF-32: secrets are found in it as in UTF-8. */
export function readableText(body: Body): string {
  return (body.isText ? undefined : wideText(body.bytes())) ?? body.text();
}
