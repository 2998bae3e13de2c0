import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { LedgerState } from "../../simulator/ledger/ledger-state.ts";
import type { Caller } from "../../simulator/operations/operation.ts";
import { type LedgerError, nodeError } from "../../simulator/operations/refusal.ts";
import type { VerifiedToken } from "../tokens/verify-token.ts";
import type { BearerToken } from "./bearer-token.ts";

/**
 * How requests are authenticated. `none` needs no token. `bearer` accepts any token. `user` reads the token as a user id
 * and applies that user's rights. `jwt` verifies the token and applies the rights of its user.
 */
export const authenticationModes = ["none", "bearer", "user", "jwt"] as const;
export type AuthenticationMode = (typeof authenticationModes)[number];

/** The initial user of a node. In mode `bearer` every token authenticates this user. */
const administratorId = "participant_admin";

type ValidToken = Extract<VerifiedToken, { readonly type: "valid" }>;

export type Claims =
  | { readonly type: "caller"; readonly caller: Caller }
  | { readonly type: "refused"; readonly refusal: LedgerError };

/**
 * Maps a token to a caller. A missing or invalid token gives an anonymous caller, which is refused later with 401. A token
 * for an unknown or deactivated user is refused here with 403. Evidence: Canton 3.5, JSON API endpoints (source).
 */
export function claimsOf(
  mode: AuthenticationMode,
  token: BearerToken,
  verified: VerifiedToken | undefined,
  ledger: LedgerState,
): Claims {
  if (mode === "none") return { type: "caller", caller: { type: "everyone", userId: undefined } };
  if (token.type === "other-scheme")
    return anonymous("Missing bearer token: Authorization has another scheme than Bearer");
  if (token.type !== "token") return anonymous("Missing bearer token");
  if (mode === "user") return claimsOfUser(token.token, ledger);
  if (mode === "jwt") return claimsOfVerified(verified, ledger);
  return { type: "caller", caller: { type: "everyone", userId: administratorId } };
}

function anonymous(reason: string): Claims {
  return { type: "caller", caller: { type: "anonymous", reason } };
}

function claimsOfVerified(verified: VerifiedToken | undefined, ledger: LedgerState): Claims {
  switch (verified?.type) {
    case "valid":
      return claimsOfValid(verified, ledger);
    case "administrator":
      return { type: "caller", caller: { type: "everyone", userId: undefined } };
    default:
      return anonymous(`Invalid bearer token: ${verified?.reason ?? "the stub has no key to verify tokens with"}`);
  }
}

/** Checks that the user belongs to the identity provider whose issuer the token names, or to the default provider. */
function claimsOfValid({ userId, issuer }: ValidToken, ledger: LedgerState): Claims {
  const provider = [...ledger.identityProviders.values()].find((candidate) => candidate.issuer === issuer);
  const claims = claimsOfUser(userId, ledger);
  if (claims.type === "refused" || claims.caller.type !== "user") return claims;
  if (provider?.isDeactivated === true)
    return refused("PERMISSION_DENIED", `The identity provider ${provider.id} is deactivated`);
  return claims.caller.identityProviderId === (provider?.id ?? "")
    ? claims
    : refused("PERMISSION_DENIED", `The user ${userId} does not belong to the identity provider that issued the token`);
}

function claimsOfUser(userId: string, ledger: LedgerState): Claims {
  if (!isIdentifier("userId", userId))
    return refused(
      "INVALID_TOKEN",
      `The token names ${JSON.stringify(userId)}, which is not a user id${jwtAdvice(userId)}`,
    );
  const user = ledger.users.get(userId);
  if (user === undefined)
    return refused("PERMISSION_DENIED", `The token names the user ${userId}, which does not exist${jwtAdvice(userId)}`);
  if (user.isDeactivated) return refused("PERMISSION_DENIED", `The user ${userId} is deactivated`);
  return {
    type: "caller",
    caller: {
      type: "user",
      userId,
      identityProviderId: user.identityProviderId,
      isParticipantAdmin: user.rights.has("ParticipantAdmin"),
      isIdentityProviderAdmin: user.rights.has("IdentityProviderAdmin"),
    },
  };
}

/** Advice for a JWT where the token is a user id. */
function jwtAdvice(token: string): string {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(token) ? ". It is a JWT: start the stub with --auth jwt" : "";
}

function refused(code: string, cause: string): Claims {
  return { type: "refused", refusal: nodeError(code, cause, { context: { ledger_api_error: "invalid token" } }) };
}
