import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, vet } from "../_ledger-calls.ts";
import { changeVetting } from "./_vetted.ts";

export const vettingKnownPackage: Probe = {
  id: "vetting-known-package",
  summary: "Vets a package that the participant has, in a dry run.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "synchronizer", "package"],
  reaches: ["postV2Package-vetting 200"],
  async run(context) {
    await changeVetting(context, [vet([context.need("package")])], { dryRun: true });
  },
};
