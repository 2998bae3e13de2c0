import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownPackage, vet, vetting } from "../_ledger-calls.ts";
import { malformed } from "../_malformed.ts";

/** Every request is an invalid dry run. */
export const vettingBadRequest: Probe = {
  id: "vetting-bad-request",
  summary: "Sends malformed vetting requests, requests without changes, and one for an invalid synchronizer.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2Package-vetting 400"],
  async run(context) {
    const good = vetting(context, [vet([unknownPackage(context)])], { dryRun: true });
    const bodies = malformed(good, {
      required: ["changes"],
      illTyped: { changes: "all", dryRun: "yes", synchronizerId: 5, updateVettedPackagesForceFlags: "all" },
    });
    const reference = { packageVersion: "1.0.0" };
    const unfit = [
      { ...good, changes: [] },
      { ...good, changes: [{ operation: { Empty: {} } }] },
      { ...good, changes: [{ operation: { Vet: { value: { packages: [reference] } } } }] },
      { ...good, synchronizerId: "no synchronizer" },
      { ...good, expectedTopologySerial: { serial: { Prior: { value: 0 } } } },
    ].map((body) => ({ body }));
    for (const body of [...bodies, ...unfit]) await context.send({ operationId: "postV2Package-vetting", ...body });
  },
};
