import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { allocate, generateTopology } from "./_onboarding.ts";

export const allocateWithoutWaiting: Probe = {
  id: "allocate-without-waiting",
  summary: "Allocates a party with a signature per transaction, without a user and without waiting.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer"],
  reaches: ["postV2PartiesExternalAllocate 200"],
  async run(context) {
    const topology = await generateTopology(context, "party");
    await allocate(context, topology, { ...topology.signedEach(), userId: "", waitForAllocation: false });
  },
};
