import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, vet } from "../_ledger-calls.ts";

/** Succeeds with one connected synchronizer and fails with several. */
export const vettingAnywhere: Probe = {
  id: "vetting-anywhere",
  summary: "Vets a package in a dry run without naming a synchronizer.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "vettablePackage"],
  reaches: ["postV2Package-vetting 400", "postV2Package-vetting 200"],
  async run(context) {
    const body = { changes: [vet([context.need("vettablePackage")])], dryRun: true };
    await context.send({ operationId: "postV2Package-vetting", body });
  },
};
