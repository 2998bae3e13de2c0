import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { allocate, generateTopology } from "./_onboarding.ts";

export const allocateWithoutWaiting: Probe = {
  id: "allocate-without-waiting",
  summary:
    "Allocates three parties: with a signature per transaction and without waiting, with the required members only, and with all members.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer"],
  reaches: ["postV2PartiesExternalAllocate 200"],
  async run(context) {
    const topology = await generateTopology(context, "party");
    const members = { ...topology.signedEach(), userId: "", identityProviderId: "", waitForAllocation: false };
    const { status } = await allocate(context, topology, members);
    const as = status === 200 ? { context: { variant: "optional members" } } : {};
    const least = await generateTopology(context, "least");
    await allocate(context, least, { onboardingTransactions: least.signedEach()["onboardingTransactions"] ?? [] }, as);
    const most = await generateTopology(context, "most");
    await allocate(
      context,
      most,
      { ...most.signedTogether(), userId: "", identityProviderId: "", waitForAllocation: true },
      as,
    );
  },
};
