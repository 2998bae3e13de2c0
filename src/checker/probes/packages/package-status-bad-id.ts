import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";

export const packageStatusBadId: Probe = {
  id: "package-status-bad-id",
  summary: "Reads the status of packages whose ids are too long or have invalid characters.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["getV2PackagesPackage-idStatus 400"],
  async run({ send }) {
    for (const id of ["no*package", "a".repeat(65)])
      await send({ operationId: "getV2PackagesPackage-idStatus", path: { "package-id": id } });
  },
};
