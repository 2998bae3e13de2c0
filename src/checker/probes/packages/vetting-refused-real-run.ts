import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unvet, vet } from "../_ledger-calls.ts";
import { isUndecided } from "../_users.ts";
import { changeVetting, showsPast, wasVetted } from "./_vetted.ts";

export const vettingRefusedRealRun: Probe = {
  id: "vetting-refused-real-run",
  summary: "Vets a package that cannot be vetted, in a dry run and in a real run.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer", "unvettablePackage"],
  reaches: ["postV2Package-vetting 400", "postV2Package-vetting 404"],
  async run(context) {
    const id = context.need("unvettablePackage");
    await changeVetting(context, [vet([id])], { dryRun: true });
    const real = await changeVetting(context, [vet([id])]);
    if (isUndecided(real.status)) context.created("vetted package, perhaps", id);
    if (real.status !== 200 || !showsPast(real) || wasVetted(real, id)) return;
    context.created("vetted package", id);
    const undone = await changeVetting(context, [unvet([id])]);
    if (undone.status === 200) context.removed("vetted package", id);
  },
};
