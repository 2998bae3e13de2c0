import type { Probe } from "../../probing/probe.ts";
import { harmlessCalls, ledgerOperations } from "../_ledger-calls.ts";

export const tokenExpired: Probe = {
  id: "token-expired",
  summary: "Calls every ledger operation with an expired token.",
  section: "5",
  safety: "safe",
  needs: ["ledger", "expiredToken"],
  reaches: ledgerOperations.map((operation) => `${operation} 401`),
  async run(context) {
    // Shows whether the target requires tokens at all.
    await context.send({ operationId: "getV2Idps", token: "none" });
    for (const call of harmlessCalls(context)) await context.send({ ...call, token: "expired" });
  },
};
