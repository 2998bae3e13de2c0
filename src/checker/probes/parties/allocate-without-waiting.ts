import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { sendVariants } from "../_variants.ts";
import { allocate, allocation, generateTopology } from "./_onboarding.ts";

export const allocateWithoutWaiting: Probe = {
  id: "allocate-without-waiting",
  summary:
    "Allocates three parties: with a signature per transaction and without waiting, with the required members only, and with all members.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer"],
  reaches: ["postV2PartiesExternalAllocate 200"],
  async run(context) {
    const [party, least, most] = [
      await generateTopology(context, "party"),
      await generateTopology(context, "least"),
      await generateTopology(context, "most"),
    ];
    const withoutUser = { userId: "", identityProviderId: "" };
    const calls = [
      allocation(context, party, { ...party.signedEach(), ...withoutUser, waitForAllocation: false }),
      allocation(context, least, { onboardingTransactions: least.signedEach()["onboardingTransactions"] ?? [] }),
      allocation(context, most, { ...most.signedTogether(), ...withoutUser, waitForAllocation: true }),
    ];
    await sendVariants({ send: (call) => allocate(context, call) }, calls);
  },
};
