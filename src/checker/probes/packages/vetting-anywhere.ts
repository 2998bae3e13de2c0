import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, vet, vetting } from "../_ledger-calls.ts";

/** Succeeds with one connected synchronizer and fails with several. */
export const vettingAnywhere: Probe = {
  id: "vetting-anywhere",
  summary: "Vets a package in a dry run on a named synchronizer, and without naming one.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "vettablePackage"],
  reaches: ["postV2Package-vetting 400", "postV2Package-vetting 200"],
  async run(context) {
    const operationId = "postV2Package-vetting";
    const unnamed = { changes: [vet([context.need("vettablePackage")])], dryRun: true };
    const { status } = await context.send({ operationId, body: vetting(context, unnamed.changes, { dryRun: true }) });
    const omits = status === 200 ? ({ omits: "synchronizerId" } as const) : {};
    await context.send({ operationId, body: unnamed, context: omits });
  },
};
