import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, vet, vetting } from "../_ledger-calls.ts";
import { sendVariants } from "../_variants.ts";
import { readStatus } from "./_vetted.ts";

export const vettingKnownPackage: Probe = {
  id: "vetting-known-package",
  summary: "Vets a package that the participant has, in a dry run, with and without force flags, and reads its status.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "synchronizer", "package"],
  reaches: ["postV2Package-vetting 200"],
  async run(context) {
    const changes = [vet([context.need("package")])];
    const bodies = [{ dryRun: true }, { dryRun: true, updateVettedPackagesForceFlags: [] }];
    await sendVariants(
      context,
      bodies.map((more) => ({ operationId: "postV2Package-vetting", body: vetting(context, changes, more) })),
    );
    await readStatus(context, context.need("package"));
  },
};
