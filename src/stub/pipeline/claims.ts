import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { LedgerState } from "../../simulator/ledger/ledger-state.ts";
import type { Caller } from "../../simulator/operations/operation.ts";
import { nodeError, type Refusal } from "../../simulator/operations/refusal.ts";
import type { VerifiedToken } from "../tokens/verify-token.ts";
import type { BearerToken } from "./bearer-token.ts";

/**
 * `none` asks for no token, `bearer` takes any, `user` takes the token as a user id and applies its rights, `jwt` does
 * so with the user of a token that was verified.
 */
export const authenticationModes = ["none", "bearer", "user", "jwt"] as const;
export type AuthenticationMode = (typeof authenticationModes)[number];

/** The user that a node is born with; any token of mode `bearer` speaks for it. */
const administratorId = "participant_admin";

type ValidToken = Extract<VerifiedToken, { readonly type: "valid" }>;

export type Claims =
  | { readonly type: "caller"; readonly caller: Caller }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** Who a token speaks for. A missing token is no error here; a user that does not exist is (facts, ledger-api 2.2). */
export function claimsOf(
  mode: AuthenticationMode,
  token: BearerToken,
  verified: VerifiedToken | undefined,
  ledger: LedgerState,
): Claims {
  if (mode === "none") return { type: "caller", caller: { type: "everyone", userId: undefined } };
  if (token.type !== "token") return nobody("the request has no bearer token");
  if (mode === "user") return claimsOfUser(token.token, ledger);
  if (mode === "jwt")
    return verified?.type === "valid"
      ? claimsOfVerified(verified, ledger)
      : nobody(verified?.reason ?? "nothing verifies tokens here");
  return { type: "caller", caller: { type: "everyone", userId: administratorId } };
}

function nobody(reason: string): Claims {
  return { type: "caller", caller: { type: "anonymous", reason } };
}

/** A user belongs to the identity provider whose issuer its token names, or to the default one. */
function claimsOfVerified({ userId, issuer }: ValidToken, ledger: LedgerState): Claims {
  const provider = [...ledger.identityProviders.values()].find((candidate) => candidate.issuer === issuer);
  const claims = claimsOfUser(userId, ledger);
  if (claims.type === "refused" || claims.caller.type !== "user") return claims;
  if (provider?.isDeactivated === true)
    return refused("PERMISSION_DENIED", `The identity provider ${provider.id} is deactivated`);
  return claims.caller.identityProviderId === (provider?.id ?? "")
    ? claims
    : refused("PERMISSION_DENIED", `The user ${userId} is managed by another identity provider than the token's`);
}

function claimsOfUser(userId: string, ledger: LedgerState): Claims {
  if (!isIdentifier("userId", userId))
    return refused("INVALID_TOKEN", `The token names ${JSON.stringify(userId)}, which is not a user id`);
  const user = ledger.users.get(userId);
  if (user === undefined)
    return refused("PERMISSION_DENIED", `The token names the user ${userId}, which does not exist`);
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

function refused(code: string, cause: string): Claims {
  return { type: "refused", refusal: nodeError(code, cause, { context: { ledger_api_error: "invalid token" } }) };
}
