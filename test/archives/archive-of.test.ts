import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { darOf } from "./dar-of.ts";
import { AUCTION } from "./packages/auction.ts";
import { DELEGATION } from "./packages/delegation.ts";
import { HOLDINGS } from "./packages/holdings.ts";
import { IOU } from "./packages/iou.ts";
import { PROFILE_V1, PROFILE_V2 } from "./packages/profile.ts";
import * as stable from "./packages/stable.ts";

/** Ids of packages of the compiler, as its archives and the sources of a node publish them. */
const published = {
  DA_DATE_TYPES: "fa79192fe1cce03d7d8db36471dde4cf6c96e6d0f07e1c391dd49e355af9b38c",
  DA_EXCEPTION_ASSERTION_FAILED: "6da1f43a10a179524e840e7288b47bda213339b0552d92e87ae811e52f59fc0e",
  DA_EXCEPTION_GENERAL_ERROR: "f181cd661f7af3a60bdaae4b0285a2a67beb55d6910fc8431dbae21a5825ec0f",
  DA_EXCEPTION_PRECONDITION_FAILED: "91e167fa7a256f21f990c526a0a0df840e99aeef0e67dc1f5415b0309486de74",
  DA_INTERNAL_TEMPLATE: "9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69",
  DA_SET_TYPES: "c3bb0c5d04799b3f11bad7c3c102963e115cf53da3e4afcbcfd9f06ebd82b4ff",
  DA_TIME_TYPES: "b70db8369e1c461d5c70f1c86f526a29e9776c655e6ffc2560f95b05ccb8b946",
  DA_TYPES: "5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4",
};

test("packages of the compiler get the ids that it publishes: each byte is what it writes", () => {
  const { ARCHIVE: _type, ...archives } = stable;
  expect(Object.fromEntries(Object.entries(archives).map(([name, { id }]) => [name, id]))).toEqual(published);
});

test.each([IOU, AUCTION, DELEGATION, HOLDINGS, PROFILE_V1, PROFILE_V2])(
  "a DAR holds $name and what it needs",
  (main) => {
    const members = membersOf(Buffer.from(darOf(main)));
    const [[, manifest] = ["", ""], ...dalfs] = members;
    const unfolded = manifest.toString().replaceAll("\n ", "");
    const paths = dalfs.map(([path]) => path);
    expect(unfolded).toContain(`\nMain-Dalf: ${paths[0]}\nDalfs: ${paths.join(", ")}\n`);
    expect(
      Math.max(
        ...manifest
          .toString()
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(71);
    expect(paths[0]).toBe(`${main.name}-${main.version}-${main.id}/${main.name}-${main.version}-${main.id}.dalf`);
    for (const [path, content] of dalfs) expect(path.endsWith(`-${payloadId(content)}.dalf`), path).toBe(true);
    expect(darOf(main)).toEqual(darOf(main));
  },
);

test("an upgrade has another id and the same name", () => {
  expect(PROFILE_V2.id).not.toBe(PROFILE_V1.id);
  expect(PROFILE_V2.name).toBe(PROFILE_V1.name);
});

/** Members by their local headers, in order. */
function membersOf(zip: Buffer): readonly (readonly [string, Buffer])[] {
  if (zip.readUInt32LE(0) !== 0x04034b50) return [];
  const nameAt = 30;
  const contentAt = nameAt + zip.readUInt16LE(26);
  const end = contentAt + zip.readUInt32LE(18);
  const content = inflateRawSync(zip.subarray(contentAt, end));
  return [[zip.subarray(nameAt, contentAt).toString(), content], ...membersOf(zip.subarray(end))];
}

/** The id of a package whose archive holds the payload, then the id in 66 bytes with its tag and length. */
function payloadId(archive: Buffer): string {
  const length = archive.length - 66;
  const payload = archive.subarray(length > 0x4000 ? 4 : length > 0x80 ? 3 : 2, length);
  return createHash("sha256").update(payload).digest("hex");
}
