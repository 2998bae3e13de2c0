import type { LfPackage } from "../../../daml/packages/lf-package.ts";
import { compareVersions } from "../../../daml/upgrades/compare-versions.ts";
import { upgradeProblem } from "../../../daml/upgrades/upgrade-problem.ts";
import { microsOfInstant } from "../../../foundation/protobuf/instant.ts";
import type { OpenPackages } from "../../daml/open-packages.ts";
import type { LedgerState, Package, Synchronizer, VettedPackage } from "../../ledger/ledger-state.ts";
import type { Release } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";

/** The vetted packages after a change, and the force flags of the caller. */
export interface VettingProposal {
  readonly next: ReadonlyMap<string, VettedPackage>;
  readonly synchronizer: Synchronizer;
  readonly ledger: LedgerState;
  /** Force flags without their common prefix. */
  readonly flags: ReadonlySet<string>;
  readonly release: Release;
  readonly packages: OpenPackages;
}

/** First protocol version whose synchronizers accept packages with unvetted dependencies (Canton 3.5, ApiPackageManagementService.scala). */
const toleratingProtocolVersion = 35;

/** Why the topology manager refuses the proposal; undefined if it accepts it. Applies to dry runs, too. */
export function checkVetting(proposal: VettingProposal): Refusal | undefined {
  return checkBounds(proposal) ?? checkStored(proposal) ?? checkUpgrades(proposal) ?? checkDependencies(proposal);
}

function checkBounds({ next }: VettingProposal): Refusal | undefined {
  const inverted = [...next.values()].find(
    ({ validFrom, validUntil }) =>
      validFrom !== undefined &&
      validUntil !== undefined &&
      (microsOfInstant(validFrom) ?? 0n) >= (microsOfInstant(validUntil) ?? 0n),
  );
  if (inverted === undefined) return undefined;
  return nodeError(
    "TOPOLOGY_INVALID_MAPPING",
    `The package ${inverted.packageId} would be valid from ${inverted.validFrom} until ${inverted.validUntil}`,
  );
}

/** Checks that a newly vetted package and its dependencies are in the participant's store. */
function checkStored({ next, synchronizer, ledger }: VettingProposal): Refusal | undefined {
  const missing = packagesOf(next, ledger)
    .filter(({ id }) => !synchronizer.vetted.has(id))
    .flatMap(({ dependencies }) => dependencies)
    .filter((id) => ledger.packages.get(id)?.isUploaded !== true);
  if (missing.length === 0) return undefined;
  return nodeError(
    "TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES",
    "Package vetting failed since packages are not on the participant",
    { context: { packages: [...new Set(missing)].join(", ") } },
  );
}

/** Checks each package against the next earlier version of its name (Canton 3.5, PackageUpgradeValidator.scala). */
function checkUpgrades({ next, ledger, flags, packages, synchronizer }: VettingProposal): Refusal | undefined {
  if (flags.has("ALLOW_VET_INCOMPATIBLE_UPGRADES")) return undefined;
  const open = (row: Package) => packages.get(row.id, ledger);
  const lineages = Map.groupBy(packagesOf(next, ledger), ({ name }) => name);
  for (const lineage of lineages.values()) {
    if (lineage.length < 2 || lineage.every(({ id }) => synchronizer.vetted.has(id))) continue;
    const sorted = lineage
      .filter((row) => open(row)?.isUtility !== true)
      .sort((left, right) => compareVersions(left.version, right.version) || (left.id < right.id ? -1 : 1));
    const pairs = sorted.slice(1).map((present, index) => [sorted[index] ?? present, present] as const);
    const twins = pairs.find(([past, present]) => past.version === present.version);
    if (twins !== undefined)
      return nodeError(
        "KNOWN_PACKAGE_VERSION",
        `Tried to vet two packages with the same name and version: ${shown(twins[0])} and ${shown(twins[1])}.`,
      );
    for (const pair of pairs) {
      const reason = declaredProblem(pair, sorted) ?? problemOf(pair, open, ledger);
      if (reason !== undefined) return notUpgrade(pair, reason);
    }
  }
  return undefined;
}

type Pair = readonly [past: Package, present: Package];

/** The problem that a fixture declares, with any earlier or later version. */
function declaredProblem([, present]: Pair, lineage: readonly Package[]): string | undefined {
  const unfit = lineage.find(
    ({ id, incompatibleWith }) => present.incompatibleWith.includes(id) || incompatibleWith.includes(present.id),
  );
  return unfit && `The fixture declares ${present.id} incompatible with ${unfit.id}.`;
}

function problemOf(
  [past, present]: Pair,
  open: (row: Package) => LfPackage | undefined,
  { packages }: LedgerState,
): string | undefined {
  const [before, after] = [open(past), open(present)];
  if (before === undefined || after === undefined) return undefined;
  return upgradeProblem(before, after, (id) => packages.get(id));
}

function notUpgrade([past, present]: Pair, reason: string): Refusal {
  return nodeError(
    "NOT_VALID_UPGRADE_PACKAGE",
    `Upgrade checks indicate that ${shown(present)} cannot be an upgrade of ${shown(past)}. Reason: ${reason}`,
  );
}

/** A package in the texts of a node. */
function shown({ id, name, version }: Package): string {
  return `${id} (${name} v${version})`;
}

function checkDependencies({ next, synchronizer, ledger, flags, release }: VettingProposal): Refusal | undefined {
  if (release.toleratesUnvettedDependencies && synchronizer.protocolVersion >= toleratingProtocolVersion)
    return undefined;
  if (flags.has("ALLOW_UNVETTED_DEPENDENCIES")) return undefined;
  const unvetted = packagesOf(next, ledger)
    .flatMap(({ dependencies }) => dependencies)
    .filter((id) => !next.has(id));
  if (unvetted.length === 0) return undefined;
  return nodeError(
    "TOPOLOGY_DEPENDENCIES_NOT_VETTED",
    "Package vetting failed since dependencies of a package are not vetted",
    { context: { unvetted: [...new Set(unvetted)].join(", ") } },
  );
}

function packagesOf(vetted: ReadonlyMap<string, VettedPackage>, { packages }: LedgerState): readonly Package[] {
  return [...vetted.keys()].flatMap((id) => packages.get(id) ?? []);
}
