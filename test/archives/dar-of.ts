import { crc32, deflateRawSync } from "node:zlib";
import type { Archive } from "./archive-of.ts";

/** A file of a zip. */
export type Member = readonly [path: string, content: Uint8Array];

/** Encodes a DAR as the compiler lays it out: the manifest, the package, then each package that it needs. */
export function darOf(main: Archive): Uint8Array {
  return zipOf(membersOf(main));
}

export function membersOf(main: Archive): readonly Member[] {
  const needed = [...new Set(neededBy(main))].sort((one, other) => (one.name < other.name ? -1 : 1));
  const folder = `${main.name}-${main.version}-${main.id}`;
  const members = [main, ...needed].map(({ name, version, id, isStable, bytes }): Member => {
    const file = isStable ? `${name}-${id}` : `${name}-${version}-${id}`;
    return [`${folder}/${file}.dalf`, bytes];
  });
  const manifest = manifestOf(
    main,
    members.map(([path]) => path),
  );
  return [["META-INF/MANIFEST.MF", new TextEncoder().encode(manifest)], ...members];
}

const neededBy = ({ uses }: Archive): readonly Archive[] => uses.flatMap((used) => [used, ...neededBy(used)]);

function manifestOf(main: Archive, paths: readonly string[]): string {
  const lines = [
    "Manifest-Version: 1.0",
    "Created-By: damlc",
    `Name: ${main.name}-${main.version}`,
    "Sdk-Version: 3.4.0",
    `Main-Dalf: ${paths[0]}`,
    `Dalfs: ${paths.join(", ")}`,
    "Format: daml-lf",
    "Encryption: non-encrypted",
  ];
  return `${lines.map(folded).join("\n")}\n`;
}

/** The first line has 70 characters at most; the next ones begin with a blank and go on with 70. */
const folded = (line: string): string => (line.match(/.{1,70}/g) ?? []).join("\n ");

/** A zip of deflated members with the oldest time stamp, so that the same members give the same bytes. */
export function zipOf(members: readonly Member[]): Uint8Array {
  const directory: Buffer[] = [];
  let files = Buffer.alloc(0);
  for (const [path, content] of members) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(content);
    // Version, flag of UTF-8, deflate, time, day; checksum and sizes; lengths of the name and of what follows it.
    const start = [shorts(20, 0x800, 8, 0, 0x21), longs(crc32(content), packed.length, content.length)];
    const described = Buffer.concat([...start, shorts(name.length, 0)]);
    const place = [shorts(0, 0, 0), longs(0, files.length)];
    directory.push(Buffer.concat([longs(0x02014b50), shorts(20), described, ...place, name]));
    files = Buffer.concat([files, longs(0x04034b50), described, name, packed]);
  }
  const central = Buffer.concat(directory);
  const counts = shorts(0, 0, members.length, members.length);
  return Buffer.concat([files, central, longs(0x06054b50), counts, longs(central.length, files.length), shorts(0)]);
}

const shorts = (...values: readonly number[]): Buffer => numbers(2, values);
const longs = (...values: readonly number[]): Buffer => numbers(4, values);

function numbers(size: number, values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(size * values.length);
  for (const [at, value] of values.entries()) bytes.writeUIntLE(value, at * size, size);
  return bytes;
}
