import { createHash } from "node:crypto";
import { type Bytes, bytes, flag, int, joined, message, NOTHING, text } from "./_fields.ts";
import { all, dottedName, fixedPart, type Part, within } from "./_parts.ts";
import { type LanguageVersion, Tables } from "./_tables.ts";
import type { Definition } from "./data-types.ts";

/** A package as it is written in this folder. */
export interface PackageDescription {
  readonly name: string;
  readonly version: string;
  /** 2.1 without it. */
  readonly language?: LanguageVersion;
  /** Whether packages of every version refer to it by its id. The compiler ships such packages. */
  readonly isStable?: boolean;
  /** The package that this one upgrades. The name and the version say it too. */
  readonly upgrades?: Archive;
  /** Modules by name. */
  readonly modules: Readonly<Record<string, readonly Definition[]>>;
}

/** An encoded package. */
export interface Archive {
  /** SHA-256 of the payload in hex. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly language: LanguageVersion;
  readonly isStable: boolean;
  /** The package as protobuf. */
  readonly encoded: Bytes;
  /** What `GET /v2/packages/ID` returns. */
  readonly payload: Bytes;
  /** A `.dalf` file. */
  readonly bytes: Bytes;
  /** Packages that it refers to. */
  readonly uses: readonly Archive[];
}

/** Encodes a package. The same description gives the same bytes. */
export function archiveOf(description: PackageDescription): Archive {
  const { name, version, language = "2.1", isStable = false } = description;
  const met = new Tables(language);
  packageOf(description, met);
  const uses = [...met.used];
  const encoded = packageOf(description, new Tables(language, uses));
  return sealed({ name, version, language, isStable, uses, encoded });
}

/** The archive with other bytes of its package: its id is theirs. */
export function withPackage(archive: Archive, encoded: Bytes): Archive {
  return sealed({ ...archive, encoded });
}

function sealed(given: Omit<Archive, "id" | "payload" | "bytes">): Archive {
  const payload = joined(text(3, given.language.slice(2)), bytes(4, given.encoded));
  const id = createHash("sha256").update(payload).digest("hex");
  return { ...given, id, payload, bytes: joined(bytes(3, payload), text(4, id)) };
}

function packageOf({ modules, name, version, upgrades }: PackageDescription, tables: Tables): Bytes {
  const encoded = Object.entries(modules).map(([module, definitions]) => {
    tables.module = module;
    return message(1, moduleOf(module, definitions)(tables));
  });
  const predecessor = upgrades === undefined ? NOTHING : message(3, int(1, tables.string(upgrades.id)));
  const metadata = message(4, int(1, tables.string(name)), int(2, tables.string(version)), predecessor);
  return joined(...encoded, ...tables.names(), metadata, ...tables.rest());
}

function moduleOf(name: string, definitions: readonly Definition[]): Part {
  const flags = fixedPart(message(2, flag(1, true), flag(2, true), flag(3, true)));
  const lists = [3, 4, 5, 6, 7, 8].flatMap((list) => definitions.filter(([own]) => own === list));
  return all(dottedName(1, name), flags, ...lists.map(([list, part]) => within(list, part)));
}
