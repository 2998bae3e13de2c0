import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, vet } from "../_ledger-calls.ts";
import { changeVetting } from "./_vetted.ts";

export const vettingRefusedDryRun: Probe = {
  id: "vetting-refused-dry-run",
  summary: "Vets a package that cannot be vetted, in a dry run.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "synchronizer", "unvettablePackage"],
  reaches: ["postV2Package-vetting 400", "postV2Package-vetting 404"],
  async run(context) {
    await changeVetting(context, [vet([context.need("unvettablePackage")])], { dryRun: true });
  },
};
