import type { Caller } from "./operation.ts";

/** Whether the caller may manage users of this identity provider (Canton 3.5, the authorizers in ledger/api/auth/services). */
export function isUserAdministrator(caller: Caller, identityProviderId: string): boolean {
  if (caller.type === "everyone") return true;
  if (caller.type === "anonymous") return false;
  return (
    caller.isParticipantAdmin || (caller.isIdentityProviderAdmin && caller.identityProviderId === identityProviderId)
  );
}

/** Whether the caller holds ParticipantAdmin. */
export function isParticipantAdministrator(caller: Caller): boolean {
  return caller.type === "everyone" || (caller.type === "user" && caller.isParticipantAdmin);
}

/** The identity provider of a request. The default for an administrator of one provider is this provider. */
export function impliedProvider(caller: Caller, named: string): string {
  const isOwn = named === "" && caller.type === "user" && !caller.isParticipantAdmin;
  return isOwn ? caller.identityProviderId : named;
}

/** Whether the caller administers users of any identity provider. */
export function isSomeUserAdministrator(caller: Caller): boolean {
  return caller.type === "user"
    ? caller.isParticipantAdmin || caller.isIdentityProviderAdmin
    : caller.type === "everyone";
}
