import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, emptyExecution } from "../_ledger-calls.ts";
import { malformed } from "../_malformed.ts";

export const executeBadRequest: Probe = {
  id: "execute-bad-request",
  summary: "Sends malformed execution requests, and an invalid prepared transaction.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2Interactive-submissionExecuteandwait 400"],
  async run(context) {
    const good = emptyExecution(context);
    const bodies = malformed(good, {
      required: ["preparedTransaction", "partySignatures", "submissionId", "hashingSchemeVersion"],
      illTyped: { preparedTransaction: 5, partySignatures: [], submissionId: 5, hashingSchemeVersion: 2 },
    });
    const unfit = [
      { ...good, preparedTransaction: "no base64!" },
      { ...good, preparedTransaction: "AAAA" },
      { ...good, submissionId: "no ledger string?" },
      { ...good, hashingSchemeVersion: "HASHING_SCHEME_VERSION_V0" },
      { ...good, deduplicationPeriod: { Forever: {} } },
    ].map((body) => ({ body }));
    for (const body of [...bodies, ...unfit])
      await context.send({ operationId: "postV2Interactive-submissionExecuteandwait", ...body });
  },
};
