import { type CryptoKey, SignJWT } from "jose";

/** The claims of a token to sign. */
interface TokenContent {
  readonly userId: string;
  readonly audience: string | undefined;
  readonly scope: string | undefined;
  readonly issuer: string | undefined;
  /** Milliseconds since the epoch. */
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** Signs a token with a shared secret (HS256) or with a private key (ES256) and its key id. */
export async function mintToken(
  content: TokenContent,
  by: { readonly secret: string } | { readonly key: CryptoKey; readonly keyId: string },
): Promise<string> {
  const { userId, audience, scope, issuer, issuedAtMs, expiresAtMs } = content;
  const token = new SignJWT(scope === undefined ? {} : { scope })
    .setSubject(userId)
    .setIssuedAt(Math.floor(issuedAtMs / 1000))
    .setExpirationTime(Math.floor(expiresAtMs / 1000));
  if (audience !== undefined) token.setAudience(audience);
  if (issuer !== undefined) token.setIssuer(issuer);
  if ("secret" in by)
    return token.setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(new TextEncoder().encode(by.secret));
  return token.setProtectedHeader({ alg: "ES256", typ: "JWT", kid: by.keyId }).sign(by.key);
}
