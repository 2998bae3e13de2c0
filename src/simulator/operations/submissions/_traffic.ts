import type { LedgerState } from "../../ledger/ledger-state.ts";
import { balanceOf, trafficAccount } from "../../ledger/traffic.ts";
import { nodeError, type Refusal } from "../refusal.ts";

/**
 * Refuses a submission whose only submitter has too little traffic, on a node that enforces it. Without a submitter another
 * participant pays. The party of the participant
 * itself is never refused (Canton 3.6, source and tests of traffic enforcement).
 */
export function checkTraffic(
  actAs: readonly string[],
  { traffic, participantId }: LedgerState,
  cost: number | undefined = traffic?.submissionCost,
): Refusal | undefined {
  const [submitter, ...others] = new Set(actAs);
  if (traffic === undefined || cost === undefined || submitter === undefined) return undefined;
  if (others.length > 0)
    return traffic.rejectsSeveralSubmitters
      ? nodeError(
          "TRAFFIC_MULTI_PARTY_SUBMISSION_REJECTED",
          `Traffic enforcement rejected submission with non-singleton actAs parties: ${[submitter, ...others].join(", ")}`,
        )
      : undefined;
  const balance = balanceOf(trafficAccount(traffic, submitter));
  if (!traffic.enforcesCost || submitter === participantId || balance >= BigInt(cost)) return undefined;
  return nodeError(
    "TRAFFIC_ACCOUNT_VALIDATION_FAILED",
    `Insufficient balance (${balance}) for actual traffic cost (${cost}) for account ${submitter}`,
    { explanation: "Add to its balance with POST /v2/traffic/accounts." },
  );
}
