import { bytesToHex } from "@noble/hashes/utils.js";
import { sha256 } from "../../foundation/crypto/sha256.ts";
import type { PackageSource } from "../packages/lf-package.ts";
import { WireMessage } from "../wire/message.ts";
import { ArchiveError, parseError } from "./archive-error.ts";

/** A package in its two envelopes: an archive with the hash, and the payload with the version. Its id is the SHA-256 of the payload. */
export interface Archive extends PackageSource {
  /** What `GET /v2/packages/{package-id}` gives. */
  readonly payload: Uint8Array;
}

/** The versions that a node of the release line runs by default. */
const minorsAllowed: ReadonlySet<string> = new Set(["1", "2", "3"]);

/** Reads the envelopes of a `.dalf` and compares its hash. Throws ArchiveError. */
export function readArchive(bytes: Uint8Array): Archive {
  try {
    const archive = new WireMessage("Archive", bytes);
    const payload = archive.octets("payload");
    if (archive.number("hashFunction") !== 0) throw parseError("the hash function of the archive is not SHA-256");
    const packageId = bytesToHex(sha256(payload));
    if (archive.text("hash") !== packageId)
      throw parseError(`Mismatching hashes! Expected ${packageId} but got ${archive.text("hash")}`);
    return { packageId, payload, ...readPayload(new WireMessage("ArchivePayload", payload), packageId) };
  } catch (error) {
    throw error instanceof ArchiveError ? error : parseError(error instanceof Error ? error.message : "");
  }
}

function readPayload(payload: WireMessage<"ArchivePayload">, packageId: string): Pick<Archive, "minor" | "package"> {
  const [minor, patch] = [payload.text("minor"), payload.number("patch")];
  const major = payload.has("damlLf2") ? 2 : 1;
  if (!payload.has("damlLf1") && major === 1) throw parseError("the payload has no package");
  if (major === 1 || patch !== 0 || !minorsAllowed.has(minor)) throw versionRefused(packageId, `${major}.${minor}`);
  return { minor, package: payload.octets("damlLf2") };
}

/** The refusal of a language version (Canton 3.5, AllowedLanguageMismatchError). */
function versionRefused(packageId: string, version: string): ArchiveError {
  const allowed = [...minorsAllowed].map((minor) => `2.${minor}`).join(", ");
  return new ArchiveError(
    "ALLOWED_LANGUAGE_VERSIONS",
    `Disallowed language version in package ${packageId}: Expected version range is List(${allowed}) but got ${version}`,
  );
}
