import type { Caller } from "./operation.ts";

/** Whether the caller may manage users of this identity provider (facts, ledger-api 2.5). */
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

/** The identity provider of a request that names none: an administrator of one speaks of its own. */
export function impliedProvider(caller: Caller, named: string): string {
  const isOwn = named === "" && caller.type === "user" && !caller.isParticipantAdmin;
  return isOwn ? caller.identityProviderId : named;
}

/** Whether the caller administers users, of whichever identity provider. */
export function isSomeUserAdministrator(caller: Caller): boolean {
  return caller.type === "user"
    ? caller.isParticipantAdmin || caller.isIdentityProviderAdmin
    : caller.type === "everyone";
}
