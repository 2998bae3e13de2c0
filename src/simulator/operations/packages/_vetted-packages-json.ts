import type { JsonObject } from "../../../foundation/json/json.ts";
import type { LedgerState, Synchronizer } from "../../ledger/ledger-state.ts";

/** What a participant has vetted on a synchronizer, as the ledger sends it (facts, ledger-api 1.8). */
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
