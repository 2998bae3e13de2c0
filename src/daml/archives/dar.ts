import { LfPackage } from "../packages/lf-package.ts";
import { type Archive, readArchive } from "./archive.ts";
import { ArchiveError, invalidDar, parseError } from "./archive-error.ts";
import { type Manifest, manifestName, readManifest } from "./manifest.ts";
import { stablePackages } from "./stable-packages.ts";
import { unpack, type ZipEntry, type ZipLimits, zipEntries } from "./zip.ts";

/** A DAR: the package of interest and those that it needs. */
export interface Dar {
  readonly manifest: Manifest;
  readonly main: PackedPackage;
  readonly dependencies: readonly PackedPackage[];
}

/** A package with the bytes that it was read from. */
export interface PackedPackage {
  readonly package: LfPackage;
  readonly packed: PackedArchive;
}

/** A `.dalf` as it is in its DAR. */
export interface PackedArchive {
  readonly bytes: Uint8Array;
  readonly isDeflated: boolean;
  /** Size of the unpacked bytes. */
  readonly size: number;
}

/**
 * Reads a DAR in the order of a node: the entries, the manifest, each package, what they import. It pauses after each package,
 * so that a caller can do other things in between. Throws ArchiveError.
 */
export function* readingDar(bytes: Uint8Array, limits: ZipLimits): Generator<undefined, Dar> {
  const entries = zipEntries(bytes, limits);
  const names = () => [...entries.keys()].join(", ");
  const manifestEntry = entries.get(manifestName);
  if (manifestEntry === undefined) throw invalidDar({ entries: names() });
  const manifest = readManifest(new TextDecoder().decode(unpack(manifestEntry)));
  const found = [manifest.mainDalf, ...manifest.dependencies].map((name) => {
    const entry = entries.get(name);
    if (entry !== undefined) return entry;
    throw new ArchiveError("INVALID_ZIP_ENTRY", "Dar zip file is corrupt", { name, entries: names() });
  });
  const packages: PackedPackage[] = [];
  for (const entry of found) {
    packages.push(readPackage(entry));
    yield;
  }
  const [main, ...dependencies] = packages;
  if (main === undefined) throw invalidDar();
  checkDependencies(main.package, packages);
  return { manifest, main, dependencies };
}

function readPackage(entry: ZipEntry): PackedPackage {
  const { packed, isDeflated, size } = entry;
  const archive = readArchive(unpack(entry));
  return { package: openPackage(archive), packed: { bytes: packed.slice(), isDeflated, size } };
}

/** The archive of a `.dalf` that was read from a DAR. */
export function unpackArchive({ bytes, isDeflated, size }: PackedArchive): Archive {
  return readArchive(unpack({ name: "", packed: bytes, isDeflated, size }));
}

export function openPackage(archive: Archive): LfPackage {
  try {
    return new LfPackage(archive);
  } catch (error) {
    throw parseError(error instanceof Error ? error.message : "");
  }
}

/** Whether the packages are all that the main one needs. A node only logs those that are not needed. */
function checkDependencies(main: LfPackage, packages: readonly PackedPackage[]): void {
  const known = new Map(packages.map((each) => [each.package.id, each.package]));
  const missing = new Set<string>();
  const seen = new Set<string>();
  const follow = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    const found = known.get(id);
    if (found === undefined && !stablePackages.has(id)) missing.add(id);
    for (const imported of found?.imports ?? []) follow(imported);
  };
  follow(main.id);
  if (missing.size === 0) return;
  throw new ArchiveError(
    "DAR_DEPENDENCIES_NOT_VALID",
    "The set of packages in the dar is not self-consistent and is missing dependencies or has extra dependencies",
    { mainPackageId: main.id, missingDependencies: `Set(${[...missing].join(", ")})`, extraDependencies: "Set()" },
  );
}

/** Reads a DAR without a pause. */
export function readDar(bytes: Uint8Array, limits: ZipLimits): Dar {
  const reading = readingDar(bytes, limits);
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}
