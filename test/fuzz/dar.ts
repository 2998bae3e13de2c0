import { readDar } from "../../src/daml/archives/dar.ts";
import { limitValues } from "../../src/foundation/limits/limits.ts";
import { withPackage } from "../archives/archive-of.ts";
import { darOf, type Member, membersOf, zipOf } from "../archives/dar-of.ts";
import { AUCTION } from "../archives/packages/auction.ts";
import { DELEGATION } from "../archives/packages/delegation.ts";
import { HOLDINGS } from "../archives/packages/holdings.ts";
import { IOU } from "../archives/packages/iou.ts";
import { PROFILE_V2 } from "../archives/packages/profile.ts";
import { DA_TIME_TYPES } from "../archives/packages/stable.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { garbageBytes, mutatedBytes } from "./_mutate-bytes.ts";
import { crowdedProtobuf, mutatedProtobuf } from "./_mutate-protobuf.ts";
import { targetOf } from "./_target-of.ts";

const limits = limitValues();

const archives = [IOU, AUCTION, DELEGATION, HOLDINGS, PROFILE_V2, DA_TIME_TYPES];

/** Archives of packages. One that is read gives all its definitions, and one that is refused says why. */
export const KIND: FuzzKind = {
  name: "dar",
  open: async () => targetOf({ draw: drawn, check: readProblem, show: (dar) => Buffer.from(dar).toString("base64") }),
};

function drawn(random: Random): Uint8Array {
  if (isDrawn(random, 0.02)) return garbageBytes(random, 4000);
  const archive = oneOf(random, archives);
  if (isDrawn(random, 0.2)) return mutatedBytes(darOf(archive), random);
  if (isDrawn(random, 0.3)) return zipOf(withOtherMember(membersOf(archive), random));
  const mutate = isDrawn(random, 0.01) ? crowdedProtobuf : mutatedProtobuf;
  return darOf(withPackage(archive, mutate(archive.encoded, random)));
}

/** The manifest or an archive is changed, missing or there twice. */
function withOtherMember(members: readonly Member[], random: Random): readonly Member[] {
  const at = below(random, members.length);
  const [path, content] = oneOf(random, members);
  if (isDrawn(random, 0.1)) return members.toSpliced(at, 1);
  if (isDrawn(random, 0.1)) return members.toSpliced(at, 0, [path, content]);
  return members.map((member, index) => (index === at ? [member[0], mutatedBytes(member[1], random)] : member));
}

function readProblem(bytes: Uint8Array): string | undefined {
  const read = readDar(bytes, limits);
  if (read.type === "refused") return read.problem === "" ? "an archive is refused without a text" : undefined;
  for (const each of [read.dar.main, ...read.dar.dependencies])
    for (const { dataTypes, synonyms, templates, interfaces, values, exceptions } of each.package.modules.values())
      for (const definitions of [dataTypes, synonyms, templates, interfaces, values, exceptions])
        for (const definition of definitions.all()) if (definition === undefined) return "a definition is missing";
  return undefined;
}
