import type { Probe } from "../../probing/probe.ts";
import { harmlessCalls, ledgerOperations } from "../_ledger-calls.ts";

/** A probe that calls every ledger operation with a token that the target must refuse. `summary` names the token. */
export function tokenProbe(
  id: string,
  summary: string,
  token: "expired" | "invalid" | "forged" | "basic",
  needs: Probe["needs"] = ["ledger"],
): Probe {
  return {
    id,
    summary: `Calls every ledger operation with ${summary}.`,
    section: "5",
    safety: "safe",
    needs,
    reaches: ledgerOperations.map((operation) => `${operation} 401`),
    async run(context) {
      // Shows whether the target requires tokens at all.
      await context.send({ operationId: "getV2Idps", token: "none" });
      for (const call of harmlessCalls(context)) await context.send({ ...call, token });
    },
  };
}
