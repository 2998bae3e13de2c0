import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, grantCall } from "../_ledger-calls.ts";
import { withUser } from "../_users.ts";
import { allocate, allocation, generateTopology } from "./_onboarding.ts";

export const allocateParty: Probe = {
  id: "allocate-party",
  summary:
    "Allocates a party with a generated key for a new user, without a valid token and with one, grants the user its rights, and repeats the allocation.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer"],
  reaches: [
    "postV2PartiesExternalAllocate 200",
    "postV2PartiesExternalAllocate 400",
    "postV2PartiesExternalAllocate 401",
    "postV2UsersUser-idRights 200",
  ],
  async run(context) {
    const topology = await generateTopology(context, "party");
    await withUser(context, async (userId) => {
      const body = { ...topology.signedTogether(), userId, identityProviderId: "", waitForAllocation: true };
      const call = allocation(context, topology, body);
      for (const token of ["invalid", "none", "basic"] as const) await allocate(context, { ...call, token });
      await allocate(context, call);
      const rights = [{ kind: { CanActAs: { value: { party: topology.partyId } } } }];
      await context.send(grantCall(userId, rights));
      await allocate(context, call);
    });
  },
};
