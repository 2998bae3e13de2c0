import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { TokenAccess } from "./access.ts";

/**
 * Access by a token, and by a cookie derived from it. A server on another port that receives the cookie cannot compute the
 * token. Processes with the same token use the same cookie.
 */
export function tokenAccess(token: string): TokenAccess {
  const cookie = createHmac("sha256", token).update("understudy-control cookie").digest("base64url");
  return { isToken: checkOf(token), cookie, isCookie: checkOf(cookie) };
}

/** Compares digests, so the time reveals neither the length nor a matching prefix. */
function checkOf(wanted: string): (given: string) => boolean {
  const digestOfWanted = digest(wanted);
  return (given) => timingSafeEqual(digest(given), digestOfWanted);
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text, "utf8").digest();
}
