import { userUpdate } from "../_ledger-calls.ts";
import { type InvalidBody, malformed } from "../_malformed.ts";

export const readAnyParty = { kind: { CanReadAsAnyParty: { value: {} } } } as const;

/** Grants to a user, each with one error. */
export function invalidGrants(userId: string): readonly InvalidBody[] {
  const rights = [readAnyParty];
  const unfit = [
    { userId: `${userId}-other`, rights },
    { userId, rights: [{ kind: { CanDoAnything: { value: {} } } }] },
    { userId, rights: [{ kind: { Empty: {} } }] },
    { userId, rights: [{ kind: { CanActAs: { value: { party: "no party" } } } }] },
  ].map((body) => ({ body }));
  const bodies = malformed(
    { userId, rights },
    { required: ["userId"], illTyped: { userId: 5, rights: "all", identityProviderId: 5 } },
  );
  return [...bodies, ...unfit];
}

/** Updates of a user, each with one error. */
export function invalidUpdates(id: string): readonly InvalidBody[] {
  const mask = ["is_deactivated"];
  const good = userUpdate({ id }, mask);
  const masks = [[], ["isDeactivated"], ["no_member"], ["is_deactivated", "is_deactivated"], [""]];
  const unfit = [
    { ...good, updateMask: { paths: "is_deactivated", unknownFields: { fields: {} } } },
    userUpdate({ id, isDeactivated: "yes" }, mask),
    userUpdate({ id: `${id}-other` }, mask),
    userUpdate({ id, metadata: { resourceVersion: "latest" } }, mask),
    ...masks.map((paths) => userUpdate({ id }, paths)),
  ].map((body) => ({ body }));
  const bodies = malformed(good, {
    required: ["user", "updateMask"],
    illTyped: { user: id, updateMask: "is_deactivated" },
  });
  return [...bodies, ...unfit];
}
