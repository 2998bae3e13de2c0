import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, emptyAllocation } from "../_ledger-calls.ts";
import { malformed } from "../_malformed.ts";

export const allocateBadRequest: Probe = {
  id: "allocate-bad-request",
  summary: "Sends malformed allocation requests: without transactions, and with an invalid transaction.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2PartiesExternalAllocate 400"],
  async run(context) {
    const good = emptyAllocation(context);
    const bodies = malformed(good, {
      required: ["synchronizer", "onboardingTransactions"],
      illTyped: {
        synchronizer: 5,
        onboardingTransactions: "AAAA",
        multiHashSignatures: "AAAA",
        waitForAllocation: "yes",
      },
    });
    const unfit = [
      good,
      { ...good, onboardingTransactions: [] },
      { ...good, onboardingTransactions: [{ transaction: "no base64!", signatures: [] }] },
      { ...good, synchronizer: "no synchronizer" },
    ].map((body) => ({ body }));
    for (const body of [...bodies, ...unfit])
      await context.send({ operationId: "postV2PartiesExternalAllocate", ...body });
  },
};
