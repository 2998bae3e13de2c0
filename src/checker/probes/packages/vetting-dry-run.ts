import type { Json } from "../../../foundation/json/json.ts";
import type { Probe, ProbeContext, ProbeResponse } from "../../probing/probe.ts";
import { asAdministrator, unvet, vet, vetting } from "../_ledger-calls.ts";
import { asVariant } from "../_variants.ts";
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
    if (first.status === 200) await expectSerial(context, [vet([id])], first);
    const wrong = { serial: { Prior: { value: 2_000_000_000 } } };
    await changeVetting(context, [vet([id])], { dryRun, expectedTopologySerial: wrong });
    await listVetted(context);
  },
};

/** Expects the current serial. A refusal counts if it repeats, since another client may have changed the serial. */
async function expectSerial(context: ProbeContext, changes: readonly Json[], shown: ProbeResponse): Promise<void> {
  const dryRun = true;
  const { status } = await changeVetting(context, changes, { dryRun, expectedTopologySerial: serialBefore(shown) });
  if (status !== 400) return;
  const now = await changeVetting(context, changes, { dryRun });
  const body = vetting(context, changes, { dryRun, expectedTopologySerial: serialBefore(now) });
  const call = { operationId: "postV2Package-vetting", body };
  await context.send(now.status === 200 ? asVariant(call, "expectedTopologySerial") : call);
}
