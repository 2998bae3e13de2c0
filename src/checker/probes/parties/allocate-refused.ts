import type { JsonObject } from "../../../foundation/json/json.ts";
import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, grantCall, unknownUser } from "../_ledger-calls.ts";
import { sendEach } from "../_malformed.ts";
import { invalidAllocations } from "./_invalid.ts";
import { allocate, allocation, generateTopology } from "./_onboarding.ts";

/** A node that accepts an invalid request has allocated a party. */
export const allocateRefused: Probe = {
  id: "allocate-refused",
  summary:
    "Sends the allocation of a party with one error at a time, without signatures and for an unknown user too, and then without an error.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer"],
  reaches: [
    "postV2PartiesExternalAllocate 200",
    "postV2PartiesExternalAllocate 400",
    "postV2PartiesExternalAllocate 404",
  ],
  async run(context) {
    const topology = await generateTopology(context, "refused");
    const { partyId } = topology;
    const members = { ...topology.signedEach(), userId: "", identityProviderId: "", waitForAllocation: true };
    const callWith = (more: JsonObject) => allocation(context, topology, { ...members, ...more });
    const { operationId } = callWith({});
    const bodies = invalidAllocations({ synchronizer: context.need("synchronizer"), ...members });
    await sendEach({ send: (call) => allocate(context, { ...call, partyId }) }, { operationId }, bodies);
    await allocate(context, callWith({ ...topology.signedTogether(), multiHashSignatures: [] }));
    // Shows that the user does not exist.
    await context.send(grantCall(unknownUser(context), []));
    await allocate(context, callWith({ userId: unknownUser(context) }));
    await allocate(context, callWith({}));
  },
};
