import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownUser } from "../_ledger-calls.ts";
import { allocate, allocation, generateTopology } from "./_onboarding.ts";

/** A node that accepts one of these requests has allocated a party. */
export const allocateRefused: Probe = {
  id: "allocate-refused",
  summary: "Allocates parties without signatures, and for an unknown user.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer"],
  reaches: ["postV2PartiesExternalAllocate 400", "postV2PartiesExternalAllocate 404"],
  async run(context) {
    const unsigned = await generateTopology(context, "unsigned");
    const members = { ...unsigned.signedTogether(), identityProviderId: "", multiHashSignatures: [] };
    await allocate(context, allocation(context, unsigned, members));
    const orphan = await generateTopology(context, "orphan");
    const forUnknown = { ...orphan.signedTogether(), identityProviderId: "", userId: unknownUser(context) };
    await allocate(context, allocation(context, orphan, forUnknown));
  },
};
