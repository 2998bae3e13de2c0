import { decodeJwt, errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { LedgerState } from "../../simulator/ledger/ledger-state.ts";
import { isPartyToken, verifyPartyToken } from "./party-token.ts";
import { keysOfSet, type RemoteKeys, remoteKeys } from "./verification-keys.ts";

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
  /** Wall time, which may be ahead of virtual time. */
  readonly wallNowMs: number;
  readonly participantId: string;
  /** The ledger, if its node accepts tokens that parties sign. */
  readonly partyTokensOf?: LedgerState | undefined;
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
  /** HS256 with the secret, other algorithms with the keys. */
  | { readonly type: "secret-or-jwks"; readonly secret: string; readonly keys: JSONWebKeySet }
  | ({ readonly type: "jwks-url" } & RemoteKeys);

/** The scope that a node requires by default. */
export const scopeDefault = "daml_ledger_api";

/** The token audience of a participant node. */
export function audienceOf(participantId: string): string {
  return `https://daml.com/jwt/aud/participant/${participantId}`;
}

/**
 * Creates a verifier of signature, times, subject, and audience or scope. Evidence: Canton 3.5, JwtVerifier and
 * AuthServiceJWT (source and tests), and java-jwt 4, JWTVerifier (source): `exp`, `nbf` and `iat` have no leeway.
 */
export function createTokenVerifier({
  key,
  audiences: given,
  scopes,
  adminToken,
  lifetimeMsMax,
}: TokenTrust): VerifyToken {
  const keys = keysOf(key);
  return async (token, at) => {
    if (token === adminToken) return { type: "administrator" };
    const audiences = given === "participant" ? [audienceOf(at.participantId)] : given;
    try {
      if (at.partyTokensOf !== undefined && isPartyToken(token)) {
        const verified = await verifyPartyToken(token, at.partyTokensOf, at.nowMs);
        const problem = verified.type === "valid" ? timesProblem(decodeJwt(token), at, lifetimeMsMax) : undefined;
        return problem === undefined ? verified : { type: "invalid", reason: problem };
      }
      const { payload } = await jwtVerify(token, keys, { currentDate: new Date(at.nowMs), requiredClaims: ["sub"] });
      const reason = timesProblem(payload, at, lifetimeMsMax) ?? recipientProblem(payload, audiences, scopes);
      if (reason !== undefined) return { type: "invalid", reason };
      return { type: "valid", userId: payload.sub ?? "", issuer: payload.iss };
    } catch (error) {
      // An invalid token and a failed key download both leave the caller anonymous.
      return { type: "invalid", reason: reasonOf(error, at.nowMs) };
    }
  };
}

function timesProblem(payload: JWTPayload, at: VerifiedAt, lifetimeMsMax: number | undefined): string | undefined {
  return formProblem(payload) ?? timeProblem(payload, at, lifetimeMsMax);
}

/** The claim that the codec of a node cannot read. Evidence: Canton main, AuthServiceJWTCodec; java-jwt 4, PayloadDeserializer (source). */
function formProblem({ sub, iss, aud, exp, iat }: JWTPayload): string | undefined {
  const texts: Readonly<Record<string, unknown>> = { sub, iss: iss ?? "" };
  const wrong = Object.keys(texts).find((name) => typeof texts[name] !== "string");
  if (wrong !== undefined) return `its claim ${wrong} is not a text`;
  if (aud !== undefined && [aud].flat().some((one) => typeof one !== "string"))
    return "its claim aud is neither a text nor a list of texts";
  if (exp !== undefined && !Number.isInteger(exp)) return `its expiry (exp) ${exp} is not a whole number of seconds`;
  return iat === undefined || typeof iat === "number" ? undefined : "its claim iat is not a number";
}

/** The problem with the times of a token. Tokens are often issued in wall time, and virtual time may be behind it. */
function timeProblem(
  { exp, iat = 0 }: JWTPayload,
  { nowMs, wallNowMs }: VerifiedAt,
  lifetimeMsMax: number | undefined,
): string | undefined {
  if (iat * 1000 > Math.max(nowMs, wallNowMs)) return `it is issued in the future, at ${instant(iat * 1000)}`;
  if (lifetimeMsMax === undefined) return undefined;
  if (exp === undefined) return "it never expires (exp), and --max-token-lifetime requires an expiry";
  // From the issue of a token of a client whose clock is ahead of virtual time.
  const lifetimeMs = exp * 1000 - Math.max(nowMs, iat * 1000);
  return lifetimeMs > lifetimeMsMax ? "it expires later than --max-token-lifetime allows" : undefined;
}

function reasonOf(error: unknown, nowMs: number): string {
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
    return "it is not a JWT. understudy token --user ID prints one";
  if (error instanceof errors.JWTExpired && typeof error.payload.exp === "number")
    return `it expired at ${instant(error.payload.exp * 1000)}, and virtual time is ${instant(nowMs)}`;
  if (
    error instanceof errors.JWTClaimValidationFailed &&
    typeof error.payload.nbf === "number" &&
    error.claim === "nbf"
  )
    return `it is valid from ${instant(error.payload.nbf * 1000)} (nbf), and virtual time is ${instant(nowMs)}`;
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return "its signature does not match the key of the stub (--jwt-secret or --jwks)";
  if (error instanceof errors.JOSEAlgNotAllowed) return "its algorithm is not HS256, the one of a shared secret";
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
      return async ({ alg }) => {
        if (alg !== "HS256") throw new errors.JOSEAlgNotAllowed();
        return secret;
      };
    }
    case "jwks":
      return keysOfSet(key.keys);
    case "secret-or-jwks": {
      const [bySecret, byKeys] = [keysOf({ ...key, type: "secret" }), keysOfSet(key.keys)];
      return (header, token) => (header.alg === "HS256" ? bySecret(header, token) : byKeys(header, token));
    }
    case "jwks-url":
      return remoteKeys(key);
  }
}

/**
 * The problem with the recipient of a token: it needs one of the audiences, or one of the scopes. `aud` is a string or a
 * list, `scope` a string; without `scope`, `scp` is read. Evidence: Canton main, AuthServiceJWTCodec (source).
 */
function recipientProblem(
  payload: JWTPayload,
  audiences: readonly string[],
  scopes: readonly string[],
): string | undefined {
  const named = payload.aud === undefined ? [] : [payload.aud].flat();
  if (named.some((one) => audiences.includes(one)) || scopesOf(payload).some((one) => scopes.includes(one)))
    return undefined;
  const accepted = [...audiences.map((one) => `audience ${one}`), ...scopes.map((one) => `scope ${one}`)];
  return `expected ${accepted.join(" or ")}`;
}

function scopesOf(payload: JWTPayload): readonly string[] {
  const [scope, scp] = [payload["scope"], payload["scp"]];
  const granted = typeof scope === "string" ? scope.split(" ").filter((one) => one !== "") : [];
  if (granted.length > 0) return granted;
  return [scp].flat().filter((one) => typeof one === "string");
}
