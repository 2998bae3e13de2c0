import type { LfPackage } from "../packages/lf-package.ts";
import { readArchive } from "./archive.ts";
import { ArchiveError, invalidDar } from "./archive-error.ts";
import { type DarManifest, manifestName, readManifest } from "./manifest.ts";
import { openPackage, type PackedArchive } from "./packed-archive.ts";
import { stablePackages } from "./stable-packages.ts";
import { unpack, type ZipEntry, type ZipLimits, zipEntries } from "./zip.ts";

/** A DAR: the package of interest and those that it needs. */
export interface Dar {
  readonly manifest: DarManifest;
  readonly main: PackedPackage;
  readonly dependencies: readonly PackedPackage[];
}

/** A package with the bytes that it was read from. */
interface PackedPackage {
  readonly package: LfPackage;
  readonly packed: PackedArchive;
}

/** A DAR, or why a node refuses it. */
export type ReadDar = { readonly type: "read"; readonly dar: Dar } | RefusedDar;

interface RefusedDar extends Pick<ArchiveError, "code" | "context" | "limit"> {
  readonly type: "refused";
  readonly problem: string;
}

/**
 * Reads a DAR in the order of a node: the entries, the manifest, each package, what they import. It pauses after each package,
 * so that a caller can do other things in between (Canton 3.5, GenDarReader.scala and PackageUploader.scala).
 */
export function* readingDar(bytes: Uint8Array, limits: ZipLimits): Generator<undefined, ReadDar> {
  try {
    const { manifest, found } = packagesIn(bytes, limits);
    const packages: PackedPackage[] = [];
    for (const entry of found) {
      packages.push(readPackage(entry));
      yield;
    }
    const [main, ...dependencies] = packages;
    if (main === undefined) throw invalidDar();
    checkDependencies(main.package, packages);
    return { type: "read", dar: { manifest, main, dependencies } };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    const { code, context, limit, message: problem } = error;
    return { type: "refused", code, context, limit, problem };
  }
}

/** Reads a DAR without a pause. */
export function readDar(bytes: Uint8Array, limits: ZipLimits): ReadDar {
  const reading = readingDar(bytes, limits);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

/** The entries of the packages that the manifest names, the main one first. */
function packagesIn(
  bytes: Uint8Array,
  limits: ZipLimits,
): { readonly manifest: DarManifest; readonly found: readonly ZipEntry[] } {
  const entries = zipEntries(bytes, limits);
  const names = () => `List(${[...entries.keys()].join(", ")})`;
  const manifestEntry = entries.get(manifestName);
  if (manifestEntry === undefined) throw invalidDar({ entries: names() });
  const manifest = readManifest(new TextDecoder().decode(unpack(manifestEntry)));
  const found = [manifest.mainDalf, ...manifest.dependencies].map((name) => {
    const entry = entries.get(name);
    if (entry !== undefined) return entry;
    throw new ArchiveError("INVALID_ZIP_ENTRY", "Dar zip file is corrupt", { name, entries: names() });
  });
  return { manifest, found };
}

function readPackage(entry: ZipEntry): PackedPackage {
  const { packed, isDeflated, size } = entry;
  const archive = readArchive(unpack(entry));
  // A copy, since the entry is a part of the whole body, and may be a Buffer.
  return { package: openPackage(archive), packed: { bytes: new Uint8Array(packed), isDeflated, size } };
}

/**
 * Checks that the packages are all that the main one needs. A node only logs those that are not needed, and missing ones of
 * a package without a table of imports, which is one of Daml-LF 2.1.
 */
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
  if (missing.size === 0 || main.languageVersion === "2.1") return;
  throw new ArchiveError(
    "DAR_DEPENDENCIES_NOT_VALID",
    "The set of packages in the dar is not self-consistent and is missing dependencies or has extra dependencies",
    { mainPackageId: main.id, missingDependencies: `Set(${[...missing].join(", ")})`, extraDependencies: "Set()" },
  );
}
