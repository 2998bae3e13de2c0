import { openPackage, unpackArchive } from "../../daml/archives/packed-archive.ts";
import type { LfPackage } from "../../daml/packages/lf-package.ts";
import type { PackageSet } from "../../daml/packages/package-set.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";
import type { LedgerState } from "../ledger/ledger-state.ts";

/** Limits of each of the two generations: packages, and their unpacked bytes. */
const packagesMax = 500;
const bytesMax: number = 64 * 1024 * 1024;

interface Opened {
  readonly package: LfPackage;
  readonly bytes: number;
}

/** Opens uploaded packages. All worlds share the opened ones: an id is the hash of the package. */
export class OpenPackages {
  readonly #opened = new GenerationCache<string, Opened>(
    { entriesMax: packagesMax, sizeMax: bytesMax },
    ({ bytes }) => bytes,
  );

  /** The packages of a ledger. */
  of(ledger: Pick<LedgerState, "packages">): PackageSet {
    return { get: (id) => this.get(id, ledger) };
  }

  /** The package; undefined for one that was not uploaded, or not as an archive. */
  get(id: string, { packages }: Pick<LedgerState, "packages">): LfPackage | undefined {
    const row = packages.get(id);
    if (row?.archive === undefined || !row.isUploaded) return undefined;
    const known = this.#opened.get(id);
    if (known !== undefined) return known.package;
    const opened = openPackage(unpackArchive(row.archive));
    this.#opened.set(id, { package: opened, bytes: row.archive.size });
    return opened;
  }
}
