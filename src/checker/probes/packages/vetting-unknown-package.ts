import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownPackage, vet } from "../_ledger-calls.ts";
import { changeVetting, readStatus } from "./_vetted.ts";

export const vettingUnknownPackage: Probe = {
  id: "vetting-unknown-package",
  summary: "Vets an unknown package in a dry run, and reads its status.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "synchronizer"],
  reaches: ["postV2Package-vetting 404"],
  async run(context) {
    await changeVetting(context, [vet([unknownPackage(context)])], { dryRun: true });
    await readStatus(context, unknownPackage(context));
  },
};
