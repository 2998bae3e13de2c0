import type { JsonObject } from "../../../foundation/json/json.ts";
import { type InvalidBody, malformed } from "../_malformed.ts";

/** Executions that differ from a good one in one error each. */
export function invalidExecutions(good: JsonObject): readonly InvalidBody[] {
  const bodies = malformed(good, {
    required: ["preparedTransaction", "partySignatures", "submissionId", "hashingSchemeVersion"],
    illTyped: {
      preparedTransaction: 5,
      partySignatures: [],
      submissionId: 5,
      hashingSchemeVersion: 2,
      userId: 5,
      deduplicationPeriod: 5,
    },
  });
  const unfit = [
    { ...good, preparedTransaction: "no base64!" },
    { ...good, preparedTransaction: "AAAA" },
    { ...good, submissionId: "no ledger string?" },
    { ...good, hashingSchemeVersion: "HASHING_SCHEME_VERSION_V0" },
    { ...good, deduplicationPeriod: { Forever: {} } },
  ].map((body) => ({ body }));
  return [...bodies, ...unfit];
}
