import { microsOfInstant } from "../../daml/daml-type.ts";
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

function checkUpgrades({ next, ledger, flags }: VettingProposal): Refusal | undefined {
  if (flags.has("ALLOW_VET_INCOMPATIBLE_UPGRADES")) return undefined;
  const vetted = packagesOf(next, ledger);
  const pairs = vetted.flatMap((left, index) => vetted.slice(index + 1).map((right) => [left, right] as const));
  const sameName = pairs.filter(([left, right]) => left.name === right.name);
  const twins = sameName.find(([left, right]) => left.version === right.version);
  if (twins !== undefined)
    return nodeError(
      "KNOWN_PACKAGE_VERSION",
      `Tried to vet two packages with the same name and version: ${twins[0].id} and ${twins[1].id}`,
    );
  const unfit = sameName.find(
    ([left, right]) => left.incompatibleWith.includes(right.id) || right.incompatibleWith.includes(left.id),
  );
  if (unfit === undefined) return undefined;
  return nodeError(
    "NOT_VALID_UPGRADE_PACKAGE",
    `The packages ${unfit[1].id} and ${unfit[0].id} are not valid upgrades of each other`,
  );
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
