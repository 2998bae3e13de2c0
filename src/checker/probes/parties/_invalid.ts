import type { JsonObject } from "../../../foundation/json/json.ts";
import { type InvalidBody, malformed } from "../_malformed.ts";

/** Allocations that differ from a good one in one error each. */
export function invalidAllocations(good: JsonObject): readonly InvalidBody[] {
  const bodies = malformed(good, {
    required: ["synchronizer", "onboardingTransactions"],
    illTyped: {
      synchronizer: 5,
      onboardingTransactions: "AAAA",
      multiHashSignatures: "AAAA",
      waitForAllocation: "yes",
      userId: 5,
      identityProviderId: 5,
    },
  });
  const unfit = [
    { ...good, onboardingTransactions: [] },
    { ...good, onboardingTransactions: [{ transaction: "no base64!", signatures: [] }] },
    { ...good, onboardingTransactions: [{ transaction: "AAAA", signatures: [] }] },
    { ...good, synchronizer: "no synchronizer" },
  ].map((body) => ({ body }));
  return [...bodies, ...unfit];
}
