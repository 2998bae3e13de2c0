import type { Probe } from "../../probing/probe.ts";
import { harmlessCalls, ledgerOperations } from "../_ledger-calls.ts";

export const tokenMissing: Probe = {
  id: "token-missing",
  summary: "Calls every ledger operation without a token.",
  section: "5",
  safety: "safe",
  needs: ["ledger"],
  reaches: ledgerOperations.map((operation) => `${operation} 401`),
  async run(context) {
    await context.send({ operationId: "getV2Users", token: "none" });
    for (const call of harmlessCalls(context)) await context.send({ ...call, token: "none" });
  },
};
