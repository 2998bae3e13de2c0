import type { Probe } from "../../probing/probe.ts";
import { harmlessCalls, ledgerOperations } from "../_ledger-calls.ts";

/** Credentials of another scheme are no bearer token. */
export const tokenBasic: Probe = {
  id: "token-basic",
  summary: "Calls every operation of the ledger with a name and a password instead of a bearer token.",
  section: "5",
  safety: "safe",
  needs: ["ledger"],
  reaches: ledgerOperations.map((operation) => `${operation} 401`),
  async run(context) {
    // Whether the target asks for tokens at all.
    await context.send({ operationId: "getV2Idps", token: "none" });
    for (const call of harmlessCalls(context)) await context.send({ ...call, token: "basic" });
  },
};
