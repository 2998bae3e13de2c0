import { readDar } from "../../src/daml/archives/dar.ts";
import { Body } from "../../src/foundation/http/body.ts";
import { limitValues } from "../../src/foundation/limits/limits.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { World } from "../../src/simulator/world/world.ts";
import { hashOfState } from "../_hash-of-state.ts";
import { withPackage } from "../archives/archive-of.ts";
import { darOf, type Member, membersOf, zipOf } from "../archives/dar-of.ts";
import { AUCTION } from "../archives/packages/auction.ts";
import { DELEGATION } from "../archives/packages/delegation.ts";
import { HOLDINGS } from "../archives/packages/holdings.ts";
import { IOU } from "../archives/packages/iou.ts";
import { PROFILE_V1, PROFILE_V2 } from "../archives/packages/profile.ts";
import { DA_TIME_TYPES } from "../archives/packages/stable.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { filesOf, stubsByProfile } from "./_loaded.ts";
import { garbageBytes, mutatedBytes } from "./_mutate-bytes.ts";
import { crowdedProtobuf, mutatedProtobuf } from "./_mutate-protobuf.ts";
import { targetOf } from "./_target-of.ts";

const limits = limitValues();

const archives = [IOU, AUCTION, DELEGATION, HOLDINGS, PROFILE_V2, DA_TIME_TYPES];

/**
 * Archives of packages. One that is read gives all its definitions, and one that is refused says why. Some are uploaded: a
 * refused one changes nothing, and one that is accepted is listed and downloaded.
 */
export const KIND: FuzzKind = {
  name: "dar",
  open: async () => {
    const uploadProblem = uploader();
    return targetOf<Input>({
      draw: (random) => ({ dar: drawn(random), target: isDrawn(random, uploadedShare) ? oneOf(random, uploads) : "" }),
      check: ({ dar, target }) => readProblem(dar) ?? (target === "" ? undefined : uploadProblem(target, dar)),
      show: ({ dar, target }) => `${target} ${Buffer.from(dar).toString("base64")}`,
    });
  },
};

interface Input {
  readonly dar: Uint8Array;
  /** Where it is uploaded; empty if it is only read. */
  readonly target: string;
}

const uploadedShare = 0.2;
const uploads = ["/v2/dars", "/v2/packages", "/v2/dars?vetAllPackages=false", "/v2/dars/validate"];

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

const profile = "canton-3.5";
const ledger = `participantId: participant1::1220ab
synchronizers: [{ alias: a, id: "a::1220ab" }]
parties: [{ id: "alice::1220ab" }]
users: [{ id: root, rights: [ParticipantAdmin] }]
`;

/** Uploads archives, each to a world that has the first version of a package, and checks the world that follows. */
function uploader(): (target: string, dar: Uint8Array) => string | undefined {
  const loaded = loadScenario("ledger", filesOf({ ledger }), { profile });
  if (loaded.type === "invalid") throw new Error("invariant: the fixture is valid");
  const stubsOf = stubsByProfile();
  const first = new World(loaded.scenario.initial, { type: "frozen" }, () => 0);
  if (send(first, "POST", "/v2/dars", darOf(PROFILE_V1)).status !== 200)
    throw new Error("invariant: the first version is uploaded");
  return (target, dar) => {
    const world = first.fork();
    const before = hashOfState(world.state);
    const { status, text } = send(world, "POST", target, dar);
    if (status >= 500) return `an upload to ${target} is ${status}\n${text}`;
    const isSame = hashOfState(world.state) === before;
    if (status !== 200) return isSame ? undefined : "a refused archive changes the world";
    if (target === "/v2/dars/validate") return isSame ? undefined : "a validation changes the world";
    const ids: readonly string[] = JSON.parse(send(world, "GET", "/v2/packages").text).packageIds;
    const lost = ids.find((id) => send(world, "GET", `/v2/packages/${id}`).status !== 200);
    return lost === undefined ? undefined : `an uploaded package is not downloaded\n${lost}`;
  };

  function send(world: World, method: string, target: string, body: Uint8Array = new Uint8Array()) {
    const headers = [["Authorization", "Bearer root"] as const, ["Content-Type", "application/octet-stream"] as const];
    const { response } = stubsOf(profile)(world)({ method, target, headers, body: new Body(body) });
    if (response.type === "broken") return { status: 599, text: response.kind };
    return { status: response.status, text: response.body.text() };
  }
}
