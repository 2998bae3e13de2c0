import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownPackage, vet, vetting } from "../_ledger-calls.ts";

export const vettingUnknownPackage: Probe = {
  id: "vetting-unknown-package",
  summary: "Vets an unknown package, in a dry run.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "synchronizer"],
  reaches: ["postV2Package-vetting 404"],
  async run(context) {
    const body = vetting(context, [vet([unknownPackage(context)])], { dryRun: true });
    await context.send({ operationId: "postV2Package-vetting", body });
  },
};
