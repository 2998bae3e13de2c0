import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, emptyAllocation } from "../_ledger-calls.ts";
import { sendEach } from "../_malformed.ts";
import { invalidAllocations } from "./_invalid.ts";

export const allocateBadRequest: Probe = {
  id: "allocate-bad-request",
  summary: "Sends malformed allocation requests: without transactions, and with an invalid transaction.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2PartiesExternalAllocate 400"],
  async run(context) {
    const good = emptyAllocation(context);
    await sendEach(context, { operationId: "postV2PartiesExternalAllocate" }, invalidAllocations(good));
  },
};
