import { microsOfInstant } from "../../../foundation/protobuf/instant.ts";
import { microsOfMs } from "../../daml/daml-json.ts";
import type { TransactionBuilder } from "../../daml/transaction-builder.ts";
import type { Synchronizer } from "../../ledger/ledger-state.ts";
import type { WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";

/** The packages of the templates of a transaction, without those that the fixture does not declare. */
export function packagesOf(builder: TransactionBuilder, { ledger }: WorldView): readonly string[] {
  const used = [...builder.transaction().nodes.values()].flatMap((node) =>
    "templateId" in node ? [node.templateId.split(":")[0] ?? ""] : [],
  );
  return [...new Set(used)].filter((id) => ledger.packages.has(id));
}

/**
 * The packages that are not vetted on a synchronizer at this time. A synchronizer without any vetting state, as in a fixture
 * that declares no vetted packages, accepts all.
 */
export function unvettedOn(
  { vetted, topologySerial }: Synchronizer,
  packages: readonly string[],
  nowMs: number,
): readonly string[] {
  if (topologySerial === 0) return [];
  const now = microsOfMs(nowMs);
  return packages.filter((id) => {
    const row = vetted.get(id);
    if (row === undefined) return true;
    const [from, until] = [row.validFrom, row.validUntil].map((bound) =>
      bound === undefined ? undefined : microsOfInstant(bound),
    );
    return (from !== undefined && now < from) || (until !== undefined && now >= until);
  });
}

/** Refuses a transaction whose packages are not vetted (Canton 3.5, package selection of commands: source and reports of users). */
export function notVetted(packages: readonly string[], { id }: Synchronizer): Refusal {
  return nodeError(
    "PACKAGE_SELECTION_FAILED",
    `No synchronizers satisfy the topology requirements: ${packages.join(", ")} not vetted on ${id}`,
  );
}
