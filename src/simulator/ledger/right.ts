export const partyRightKinds = ["CanActAs", "CanReadAs", "CanExecuteAs"] as const;
export const unitRightKinds = [
  "CanActAsAnyParty",
  "CanReadAsAnyParty",
  "CanExecuteAsAnyParty",
  "ParticipantAdmin",
  "IdentityProviderAdmin",
] as const;

export type Right =
  | { readonly type: (typeof partyRightKinds)[number]; readonly party: string }
  | { readonly type: (typeof unitRightKinds)[number] };

/** Equal rights have equal keys. */
export function rightKey(right: Right): string {
  return "party" in right ? `${right.type} ${right.party}` : right.type;
}
