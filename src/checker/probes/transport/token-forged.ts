import type { Probe } from "../../probing/probe.ts";
import { harmlessCalls, ledgerOperations } from "../_ledger-calls.ts";

export const tokenForged: Probe = {
  id: "token-forged",
  summary:
    "Calls every operation of the ledger with an administrator's token of the right form that somebody else signed.",
  section: "5",
  safety: "safe",
  needs: ["ledger"],
  reaches: ledgerOperations.map((operation) => `${operation} 401`),
  async run(context) {
    // Whether the target asks for tokens at all.
    await context.send({ operationId: "getV2Idps", token: "none" });
    for (const call of harmlessCalls(context)) await context.send({ ...call, token: "forged" });
  },
};
