import type { JsonObject } from "../../../foundation/json/json.ts";
import type { LedgerState, Synchronizer } from "../../ledger/ledger-state.ts";

/** The vetted packages of a participant on a synchronizer, as JSON (Canton 3.5, JsPackageService.scala). */
export function vettedPackagesJson(
  ledger: LedgerState,
  { id, topologySerial, vetted }: Pick<Synchronizer, "id" | "topologySerial" | "vetted">,
): JsonObject {
  const rows = [...vetted.values()].sort((left, right) => (left.packageId < right.packageId ? -1 : 1));
  return {
    packages: rows.map(({ packageId, validFrom, validUntil }) => ({
      packageId,
      validFromInclusive: validFrom ?? null,
      validUntilExclusive: validUntil ?? null,
      packageName: ledger.packages.get(packageId)?.name ?? "",
      packageVersion: ledger.packages.get(packageId)?.version ?? "",
    })),
    participantId: ledger.participantId,
    synchronizerId: id,
    topologySerial,
  };
}
