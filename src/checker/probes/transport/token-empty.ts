import type { Probe } from "../../probing/probe.ts";
import { harmlessCalls, ledgerOperations } from "../_ledger-calls.ts";

export const tokenEmpty: Probe = {
  id: "token-empty",
  summary: "Calls every ledger operation with an Authorization header that has only the scheme.",
  section: "5",
  safety: "safe",
  needs: ["ledger"],
  reaches: ledgerOperations.map((operation) => `${operation} 400`),
  async run(context) {
    for (const call of harmlessCalls(context)) await context.send({ ...call, token: "empty" });
  },
};
