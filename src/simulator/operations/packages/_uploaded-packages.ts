import type { ReadDar } from "../../../daml/archives/dar.ts";
import { stablePackages } from "../../../daml/archives/stable-packages.ts";
import type { Json } from "../../../foundation/json/json.ts";
import { textOf } from "../../../foundation/json/members.ts";
import type { LedgerState, Package, Synchronizer, VettedPackage } from "../../ledger/ledger-state.ts";
import { synchronizerProblem } from "../_identifier-problem.ts";
import { connectedSynchronizer, connectedSynchronizers } from "../_synchronizer.ts";
import type { Call, WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";
import { checkVetting } from "./_vetting-rules.ts";

/** The packages of an uploaded DAR that the node does not have yet, and the ledger with them. */
interface Upload {
  readonly type: "uploaded";
  readonly added: readonly Package[];
  readonly packageIds: readonly string[];
  readonly ledger: LedgerState;
}

/** The packages of the DAR in the body, or the refusal of a node (Canton 3.5, PackageUploader.scala). */
export function uploadedPackages({ dar, query }: Call, { ledger }: WorldView): Upload | Refusal {
  const requested = textOf(query["synchronizerId"]);
  const misread = requested === "" ? undefined : synchronizerProblem(requested);
  if (misread !== undefined)
    return nodeError("PROTO_DESERIALIZATION_FAILURE", "Deserialization of protobuf message failed", {
      context: { reason: misread },
    });
  const read = dar();
  if (read.type === "refused") return nodeError(read.code, read.problem, { context: read.context });
  const packages = packagesOf(read, ledger);
  const added = packages.filter(({ id }) => !isStored(ledger.packages.get(id)));
  const stored = added.reduce((table, row) => table.with(row.id, row, true), ledger.packages);
  return { type: "uploaded", added, packageIds: packages.map(({ id }) => id), ledger: { ...ledger, packages: stored } };
}

function isStored(known: Package | undefined): boolean {
  return known?.isUploaded === true && known.archive !== undefined;
}

function packagesOf({ dar }: Extract<ReadDar, { readonly type: "read" }>, ledger: LedgerState): readonly Package[] {
  const all = [dar.main, ...dar.dependencies];
  const ids = new Set(all.map((each) => each.package.id));
  // An archive may lack packages that every node has.
  const isThere = (id: string) => ids.has(id) || !stablePackages.has(id);
  return all.map(({ package: { id, name, version, imports }, packed }) => ({
    id,
    name,
    version,
    dependencies: imports.filter(isThere),
    incompatibleWith: ledger.packages.get(id)?.incompatibleWith ?? [],
    isUploaded: true,
    archive: packed,
  }));
}

interface Vetting {
  readonly type: "vetting";
  readonly synchronizer: Synchronizer;
  readonly next: ReadonlyMap<string, VettedPackage>;
}

/** The vetted packages after all packages of an upload are vetted, or the refusal. */
export function vettingOf(upload: Upload, { query, release, packages }: Call): Vetting | Refusal {
  const found = synchronizerOf(query["synchronizerId"], upload.ledger);
  if (found.type !== "found") return found;
  const { synchronizer } = found;
  const next = new Map(synchronizer.vetted);
  // A synchronizer without any vetting state accepts all packages of the fixture; it goes on to do so.
  const before = synchronizer.topologySerial === 0 ? [...upload.ledger.packages.values()] : [];
  for (const id of [...before.filter(({ isUploaded }) => isUploaded).map((row) => row.id), ...upload.packageIds])
    if (!next.has(id)) next.set(id, { packageId: id, validFrom: undefined, validUntil: undefined });
  const proposal = { next, synchronizer, ledger: upload.ledger, flags: new Set<string>(), release, packages };
  const unfit = next.size === synchronizer.vetted.size ? undefined : checkVetting(proposal);
  return unfit ?? { type: "vetting", synchronizer, next };
}

type FoundSynchronizer = { readonly type: "found"; readonly synchronizer: Synchronizer } | Refusal;

/** The named synchronizer, or else the only connected one (Canton 3.5, CantonPackageServiceError.scala). */
function synchronizerOf(given: Json | undefined, ledger: LedgerState): FoundSynchronizer {
  const [requested, connected] = [textOf(given), connectedSynchronizers(ledger)];
  const [only, ...others] = connected;
  if (requested === "" && only !== undefined && others.length === 0) return { type: "found", synchronizer: only };
  const synchronizers = connected.map(({ id }) => id).join(", ");
  const which =
    only === undefined ? "no synchronizers currently connected" : `currently connected synchronizers ${synchronizers}`;
  if (requested === "")
    return nodeError("PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER", `Cannot autodetect synchronizer: ${which}`, {
      context: { synchronizers },
    });
  const synchronizer = connectedSynchronizer(requested, ledger);
  if (synchronizer !== undefined) return { type: "found", synchronizer };
  return nodeError(
    "PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER",
    `Cannot upload a dar because the participant is not connected to synchronizer '${requested}'.`,
    { context: { synchronizerId: requested } },
  );
}
