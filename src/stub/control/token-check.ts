import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { TokenAccess } from "./access.ts";

/**
 * Access by this token, and by a cookie that is made of it: whoever reads the cookie, such as a server on another port of the
 * same host, has not the token. Processes that know the token agree on the cookie.
 */
export function tokenAccess(token: string): TokenAccess {
  const cookie = createHmac("sha256", token).update("understudy-control cookie").digest("base64url");
  return { isToken: checkOf(token), cookie, isCookie: checkOf(cookie) };
}

/** Digests are compared, so that the time says neither how much of a text was right nor how long it is. */
function checkOf(wanted: string): (given: string) => boolean {
  const digestOfWanted = digest(wanted);
  return (given) => timingSafeEqual(digest(given), digestOfWanted);
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text, "utf8").digest();
}
