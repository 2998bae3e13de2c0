import { type CryptoKey, errors, jwtVerify, SignJWT } from "jose";

/** What a token request asks for. */
export interface TokenGrant {
  readonly userId: string;
  /** Undefined for the defaults of the server. */
  readonly audience: string | undefined;
  readonly scope: string | undefined;
}

export const refreshLifetimeMs: number = 24 * 3_600_000;

/** It keeps a refresh token from being taken for an access token. */
const typ = "refresh+jwt";

/** Signs a refresh token (RFC 6749 §1.5), which holds the grant. It has no audience or scope that a ledger accepts. */
export function mintRefreshToken(grant: TokenGrant, issuedAtMs: number, key: CryptoKey): Promise<string> {
  return new SignJWT({ grant })
    .setProtectedHeader({ alg: "ES256", typ })
    .setSubject(grant.userId)
    .setExpirationTime(Math.floor((issuedAtMs + refreshLifetimeMs) / 1000))
    .sign(key);
}

/** The grant of a refresh token of this server; undefined if it expired or is not one. */
export async function readRefreshToken(
  token: string,
  nowMs: number,
  publicKey: CryptoKey,
): Promise<TokenGrant | undefined> {
  try {
    const { payload } = await jwtVerify<{ grant: TokenGrant }>(token, publicKey, { typ, currentDate: new Date(nowMs) });
    return payload.grant;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
