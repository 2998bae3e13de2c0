import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ControlTokens, KeptControlToken, NewControlToken } from "../stores/control-tokens.ts";
import type { ControlCaller, NamedTokens, TokenAccess } from "./access.ts";

/** Access by the control token of a server, with the scope `administer`. */
export function tokenAccess(token: string): TokenAccess {
  const known = { tokenDigest: digest(token), cookieDigest: digest(cookieOf(token)) };
  return accessOf([{ ...known, caller: { name: undefined, tokenDigest: undefined, scope: "administer" } }]);
}

/** Access by named tokens. */
function namedAccess(tokens: readonly KeptControlToken[]): TokenAccess {
  return accessOf(
    tokens.map(({ name, scope, tokenDigest, cookieDigest }) => ({
      tokenDigest: Buffer.from(tokenDigest, "base64url"),
      cookieDigest: Buffer.from(cookieDigest, "base64url"),
      caller: { name, tokenDigest, scope },
    })),
  );
}

/** Named tokens of a server, kept in memory or in a store. */
export function namedTokens(kept: ControlTokens, newToken: () => string): NamedTokens {
  return { kept, newToken, read: async () => namedAccess(await kept.list()) };
}

/** What is kept of a token. */
export function digestsOf(token: string): Pick<NewControlToken, "tokenDigest" | "cookieDigest"> {
  const shown = (text: string) => Buffer.from(digest(text)).toString("base64url");
  return { tokenDigest: shown(token), cookieDigest: shown(cookieOf(token)) };
}

/**
 * The cookie of a browser that signed in with a token. A server on another port that receives the cookie cannot compute the
 * token. Processes with the same token use the same cookie.
 */
export function cookieOf(token: string): string {
  return createHmac("sha256", token).update("understudy-control cookie").digest("base64url");
}

interface KnownToken {
  readonly tokenDigest: Uint8Array;
  readonly cookieDigest: Uint8Array;
  readonly caller: ControlCaller;
}

function accessOf(known: readonly KnownToken[]): TokenAccess {
  return {
    callerOfToken: (given) => callerWith(given, known, "tokenDigest"),
    callerOfCookie: (given) => callerWith(given, known, "cookieDigest"),
    cookieOf,
  };
}

/** Compares the digests of all tokens, so the time reveals neither the length nor a matching prefix, nor which token it is. */
function callerWith(
  given: string,
  known: readonly KnownToken[],
  member: "tokenDigest" | "cookieDigest",
): ControlCaller | undefined {
  const digestOfGiven = digest(given);
  return known.filter((each) => timingSafeEqual(digestOfGiven, each[member])).at(-1)?.caller;
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text, "utf8").digest();
}
