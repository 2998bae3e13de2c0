import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownPackage } from "../_ledger-calls.ts";
import { readStatus } from "./_vetted.ts";

export const packageStatusKnown: Probe = {
  id: "package-status-known",
  summary: "Lists the packages, and reads the status of a known package, if any, and of an unknown one.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["getV2PackagesPackage-idStatus 200"],
  async run(context) {
    // Shows which packages the node has.
    if (context.knows("getV2Packages"))
      await context.send({ operationId: "getV2Packages", context: { readsBack: true } });
    const known = context.values.package ?? context.values.vettablePackage;
    for (const id of [...(known === undefined ? [] : [known]), unknownPackage(context)]) await readStatus(context, id);
  },
};
