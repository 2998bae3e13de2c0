import { LfPackage } from "../packages/lf-package.ts";
import { type Archive, readArchive } from "./archive.ts";
import { parseError } from "./archive-error.ts";
import { unpack } from "./zip.ts";

/** A `.dalf` as it is in its DAR. */
export interface PackedArchive {
  readonly bytes: Uint8Array;
  readonly isDeflated: boolean;
  /** Size of the unpacked bytes. */
  readonly size: number;
}

export function unpackArchive({ bytes, isDeflated, size }: PackedArchive): Archive {
  return readArchive(unpack({ name: "", packed: bytes, isDeflated, size }));
}

/** The package of an archive. A field that no published definition has is refused, as by a node. Throws ArchiveError. */
export function openPackage(archive: Archive): LfPackage {
  try {
    const opened = new LfPackage(archive);
    if (opened.unknownFields === 0) return opened;
  } catch (error) {
    throw parseError(error instanceof Error ? error.message : "");
  }
  throw parseError("the package has unknown fields");
}
