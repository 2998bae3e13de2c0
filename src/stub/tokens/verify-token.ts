import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";

/** What a token says of its bearer, or why it says nothing. */
export type VerifiedToken =
  | {
      readonly type: "valid";
      readonly userId: string;
      /** Undefined where the token names none. */
      readonly issuer: string | undefined;
    }
  | { readonly type: "invalid"; readonly reason: string };

/** What a token is worth at that moment of virtual time. */
export type VerifyToken = (token: string, nowMs: number) => Promise<VerifiedToken>;

/** What a token is verified with, and whom it has to be for. */
export interface TokenTrust {
  readonly key: TokenKey;
  /** Audiences and scopes of which a token needs one. */
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
}

export type TokenKey =
  | { readonly type: "secret"; readonly secret: string }
  | { readonly type: "jwks"; readonly keys: JSONWebKeySet }
  | { readonly type: "jwks-url"; readonly url: URL };

/** The scope that a node asks for unless it is configured otherwise. */
export const scopeDefault = "daml_ledger_api";

/** The audience that stands for a participant node. */
export function audienceOf(participantId: string): string {
  return `https://daml.com/jwt/aud/participant/${participantId}`;
}

/** Verifies signature, expiry, audience or scope, and that the token is a user's (facts, ledger-api 2.4). */
export function createTokenVerifier({ key, audiences, scopes }: TokenTrust): VerifyToken {
  const keys = keysOf(key);
  return async (token, nowMs) => {
    try {
      const { payload } = await jwtVerify(token, keys, { currentDate: new Date(nowMs), requiredClaims: ["sub"] });
      if (isFor(payload, audiences, scopes)) return { type: "valid", userId: payload.sub ?? "", issuer: payload.iss };
      const wanted = [...audiences.map((one) => `the audience ${one}`), ...scopes.map((one) => `the scope ${one}`)];
      return { type: "invalid", reason: `the token has none of ${wanted.join(", ")}` };
    } catch (error) {
      // Whatever is wrong with a token, or with the keys at a URL, its bearer is nobody.
      return { type: "invalid", reason: error instanceof Error ? error.message : String(error) };
    }
  };
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
      return createRemoteJWKSet(key.url);
  }
}

function isFor(payload: JWTPayload, audiences: readonly string[], scopes: readonly string[]): boolean {
  const named = payload.aud === undefined ? [] : [payload.aud].flat();
  const scope: unknown = payload["scope"];
  const granted = typeof scope === "string" ? scope.split(" ") : [];
  return named.some((audience) => audiences.includes(audience)) || granted.some((one) => scopes.includes(one));
}
