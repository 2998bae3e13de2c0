import type { Probe } from "../../probing/probe.ts";
import { harmlessCalls, ledgerOperations } from "../_ledger-calls.ts";

export const tokenEmpty: Probe = {
  id: "token-empty",
  summary: "Calls every operation of the ledger with an Authorization header that names the scheme alone.",
  section: "5",
  safety: "safe",
  needs: ["ledger"],
  reaches: ledgerOperations.map((operation) => `${operation} 400`),
  async run(context) {
    for (const call of harmlessCalls(context)) await context.send({ ...call, token: "empty" });
  },
};
