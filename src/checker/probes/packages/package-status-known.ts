import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownPackage } from "../_ledger-calls.ts";

export const packageStatusKnown: Probe = {
  id: "package-status-known",
  summary: "Reads the status of a known package, if any, and of an unknown one.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["getV2PackagesPackage-idStatus 200"],
  async run(context) {
    const known = context.values.package ?? context.values.vettablePackage;
    for (const id of [...(known === undefined ? [] : [known]), unknownPackage(context)])
      await context.send({ operationId: "getV2PackagesPackage-idStatus", path: { "package-id": id } });
  },
};
