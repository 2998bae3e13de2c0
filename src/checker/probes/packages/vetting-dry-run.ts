import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unvet, vet } from "../_ledger-calls.ts";
import { changeVetting, listVetted, serialBefore } from "./_vetted.ts";

export const vettingDryRun: Probe = {
  id: "vetting-dry-run",
  summary: "Vets a package in dry runs: twice, with opposite changes, with the expected serial and with a wrong one.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "synchronizer", "vettablePackage"],
  reaches: ["postV2Package-vetting 200", "postV2Package-vetting 400"],
  async run(context) {
    const id = context.need("vettablePackage");
    const dryRun = true;
    await listVetted(context);
    const first = await changeVetting(context, [vet([id])], { dryRun });
    await changeVetting(context, [vet([id])], { dryRun });
    await changeVetting(context, [vet([id]), unvet([id])], { dryRun });
    await changeVetting(context, [unvet([id]), vet([id])], { dryRun });
    await changeVetting(context, [vet([id])], { dryRun, expectedTopologySerial: serialBefore(first) });
    const wrong = { serial: { Prior: { value: 2_000_000_000 } } };
    await changeVetting(context, [vet([id])], { dryRun, expectedTopologySerial: wrong });
    await listVetted(context);
  },
};
