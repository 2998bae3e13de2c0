import type { Probe } from "../../probing/probe.ts";
import { harmlessCalls, ledgerOperations } from "../_ledger-calls.ts";

/** Any authenticated user may read the status of a package. */
export const tokenPlain: Probe = {
  id: "token-plain",
  summary: "Calls every ledger operation as a user without rights.",
  section: "5",
  safety: "safe",
  needs: ["ledger", "plainToken"],
  reaches: ledgerOperations.map((operation) =>
    operation === "getV2PackagesPackage-idStatus" ? `${operation} 200` : `${operation} 403`,
  ),
  async run(context) {
    for (const call of harmlessCalls(context)) await context.send({ ...call, token: "plain" });
  },
};
