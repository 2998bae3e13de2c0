import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";

/** The user and issuer of a valid token, or the reason why the token is invalid. */
export type VerifiedToken =
  /** The fixed administrator token. It names no user. */
  | { readonly type: "administrator" }
  | {
      readonly type: "valid";
      readonly userId: string;
      /** Undefined if the token has no issuer. */
      readonly issuer: string | undefined;
    }
  | { readonly type: "invalid"; readonly reason: string };

/** Verifies a token of a request to this participant, at a point in virtual time, in milliseconds since the epoch. */
export type VerifyToken = (token: string, at: VerifiedAt) => Promise<VerifiedToken>;

interface VerifiedAt {
  readonly nowMs: number;
  readonly participantId: string;
}

/** The key that verifies tokens, and the audiences and scopes that are accepted. */
export interface TokenTrust {
  readonly key: TokenKey;
  /** Accepted audiences and scopes; a token needs one of them. `participant`: the audience of the called participant. */
  readonly audiences: readonly string[] | "participant";
  readonly scopes: readonly string[];
  /** The fixed token of the node's console: it has every right. Undefined without such a token. */
  readonly adminToken?: string | undefined;
  /** How far ahead the expiry of a token may be, in milliseconds; undefined without a limit. */
  readonly lifetimeMsMax?: number | undefined;
}

export type TokenKey =
  | { readonly type: "secret"; readonly secret: string }
  | { readonly type: "jwks"; readonly keys: JSONWebKeySet }
  | { readonly type: "jwks-url"; readonly url: URL };

/** The scope that a node requires by default. */
export const scopeDefault = "daml_ledger_api";

/** The token audience of a participant node. */
export function audienceOf(participantId: string): string {
  return `https://daml.com/jwt/aud/participant/${participantId}`;
}

/** Creates a verifier of signature, expiry, subject, and audience or scope. Evidence: Canton 3.5 (source and tests). */
export function createTokenVerifier({
  key,
  audiences: given,
  scopes,
  adminToken,
  lifetimeMsMax,
}: TokenTrust): VerifyToken {
  const keys = keysOf(key);
  return async (token, { nowMs, participantId }) => {
    if (token === adminToken) return { type: "administrator" };
    const audiences = given === "participant" ? [audienceOf(participantId)] : given;
    try {
      const { payload } = await jwtVerify(token, keys, { currentDate: new Date(nowMs), requiredClaims: ["sub"] });
      if (lifetimeMsOf(payload, nowMs) > (lifetimeMsMax ?? Number.POSITIVE_INFINITY))
        return { type: "invalid", reason: "it expires later than --max-token-lifetime allows" };
      if (isFor(payload, audiences, scopes)) return { type: "valid", userId: payload.sub ?? "", issuer: payload.iss };
      const accepted = [...audiences.map((one) => `audience ${one}`), ...scopes.map((one) => `scope ${one}`)];
      return { type: "invalid", reason: `expected ${accepted.join(" or ")}` };
    } catch (error) {
      // An invalid token and a failed key download both leave the caller anonymous.
      return { type: "invalid", reason: reasonOf(error, nowMs) };
    }
  };
}

/** The time from now to the expiry; from the issue of a token of a client whose clock is ahead of virtual time. */
function lifetimeMsOf({ exp = 0, iat = 0 }: JWTPayload, nowMs: number): number {
  return exp * 1000 - Math.max(nowMs, iat * 1000);
}

function reasonOf(error: unknown, nowMs: number): string {
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
    return "it is not a JWT. understudy token --user ID prints one";
  if (error instanceof errors.JWTExpired && typeof error.payload.exp === "number")
    return `it expired at ${instant(error.payload.exp * 1000)}, and virtual time is ${instant(nowMs)}`;
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return "its signature does not match the key of the stub (--jwt-secret or --jwks)";
  return error instanceof Error ? error.message : String(error);
}

/** A timestamp in seconds; the number itself if no date has it. */
function instant(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString().replace(/\.\d+/, "");
}

function keysOf(key: TokenKey): JWTVerifyGetKey {
  switch (key.type) {
    case "secret": {
      const secret = new TextEncoder().encode(key.secret);
      return async () => secret;
    }
    case "jwks":
      return createLocalJWKSet(key.keys);
    case "jwks-url":
      return createRemoteJWKSet(key.url, { [customFetch]: fetchedKeys });
  }
}

/** Bytes of the response of a URL with keys. */
export const jwksBytesMax: number = 1024 * 1024;

/** The response of a URL with keys. Rejects if it is longer than the limit, without reading the rest. */
async function fetchedKeys(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > jwksBytesMax) throw new Error(`the response of ${url} exceeds ${jwksBytesMax} bytes (jwksBytesMax)`);
    chunks.push(chunk);
  }
  return new Response(new Blob(chunks), response);
}

function isFor(payload: JWTPayload, audiences: readonly string[], scopes: readonly string[]): boolean {
  const named = payload.aud === undefined ? [] : [payload.aud].flat();
  const scope: unknown = payload["scope"];
  const granted = typeof scope === "string" ? scope.split(" ") : [];
  return named.some((audience) => audiences.includes(audience)) || granted.some((one) => scopes.includes(one));
}
