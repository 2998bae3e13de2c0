import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unvet, vet } from "../_ledger-calls.ts";
import { isUndecided } from "../_users.ts";
import { changeVetting, listVetted, readStatus, sendInvalid, serialBefore, showsPast, wasVetted } from "./_vetted.ts";

export const vettingRealRun: Probe = {
  id: "vetting-real-run",
  summary:
    "Vets a package in dry runs with and without the expected serial and in a real run, sends the same request with one error at a time, and unvets it.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer", "vettablePackage"],
  reaches: ["postV2Package-vetting 200", "postV2Package-vetting 400"],
  async run(context) {
    const id = context.need("vettablePackage");
    const dry = await changeVetting(context, [vet([id])], { dryRun: true });
    if (!showsPast(dry))
      context.end(`the dry run does not show the vetting state (status ${dry.status}), so nothing is changed`);
    if (wasVetted(dry, id)) context.end("the package is already vetted. Name another one: --target vettablePackage=ID");
    const expectedTopologySerial = serialBefore(dry);
    await changeVetting(context, [vet([id])], { dryRun: true, expectedTopologySerial });
    const real = await changeVetting(context, [vet([id])], { expectedTopologySerial });
    if (isUndecided(real.status)) context.created("vetted package, perhaps", id);
    // Another client may have vetted the package in between; it then stays vetted.
    if (real.status !== 200 || wasVetted(real, id)) return;
    context.created("vetted package", id);
    await changeVetting(context, [vet([id])], { expectedTopologySerial });
    await changeVetting(context, [vet([id])], { dryRun: true });
    await listVetted(context);
    await readStatus(context, id);
    // The package is vetted, so that an invalid request changes nothing, even if the target accepts it.
    await sendInvalid(context, id);
    await changeVetting(context, [unvet([id])], { dryRun: true });
    const undone = await changeVetting(context, [unvet([id])]);
    if (undone.status === 200) context.removed("vetted package", id);
    await changeVetting(context, [vet([id])], { dryRun: true });
    await listVetted(context);
  },
};
