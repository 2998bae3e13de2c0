import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import type { HostedWorld } from "../hosting/hosted-world.ts";
import type { Hosting } from "../hosting/hosting.ts";
import type { KeptWorlds } from "../hosting/kept-worlds.ts";
import { labelsMax } from "../hosting/world-details.ts";
import { sourceBytes } from "../stores/state-source.ts";
import { archivedWorld, archiveOf, type ReadArchive } from "../stores/world-archive.ts";
import type { ControlCaller } from "./access.ts";
import { problem } from "./control-problem.ts";
import { createdResponse, storedResponse } from "./created-response.ts";
import { beyondQuota, type CountWorlds, countStored, labelsIn } from "./fork-response.ts";
import { worldSnapshot } from "./world-snapshot.ts";

/** A world with all its participants as one file. */
export function archiveResponse(hosting: Hosting, { first, world, labels }: HostedWorld): Response {
  const archived = { id: first, labels, start: world.fresh().whole, state: world.whole };
  const exportedAt = new Date(hosting.wallNowMs()).toISOString();
  return textResponse(200, "application/x-ndjson", archiveOf(archived, hosting.scenario, exportedAt));
}

/** Adds the world of an archive. With a store, it is stored and any replica can take it when the response is sent. */
export async function importArchive(
  hosting: Hosting,
  { body }: Request,
  caller: ControlCaller | undefined,
): Promise<Response> {
  const archived = await archivedWorld(body.text());
  if (typeof archived === "string") return problem(400, archived);
  const invalid = problemOf(hosting, archived);
  if (invalid !== undefined) return problem(400, invalid);
  const { kept, quotas } = hosting;
  if (kept === undefined) return added(hosting, archived, caller);
  const store = () => storedArchive(hosting, kept, archived, caller);
  return quotas === undefined ? store() : quotas.inTurn(store);
}

/** Why a world cannot be served; undefined if it can. An archive comes from a client, so its rows may have any contents. */
function problemOf(hosting: Hosting, archived: ReadArchive): string | undefined {
  if (labelsIn([...archived.labels]) === undefined)
    return `The labels of the archive are not valid. An archive has at most ${labelsMax} different labels, each with 1 to 63 of the characters A-Z a-z 0-9 . _ -`;
  try {
    const world = hosting.restored(archived);
    worldSnapshot(hosting, archived.id, { world, labels: [], expiresMs: undefined, journal: { exchanges: [] } });
    for (const { operationId } of hosting.wholeSpec.operations) world.countRequest(operationId);
    world.plannedResponse(() => false);
    world.advanceBy(0);
    return undefined;
  } catch {
    return "The archive is not readable: its world has other contents than a world of Understudy. Export the world again.";
  }
}

async function storedArchive(
  hosting: Hosting,
  kept: KeptWorlds,
  archived: ReadArchive,
  caller: ControlCaller | undefined,
): Promise<Response> {
  const countWorlds = await countStored(hosting, kept, archived.labels);
  if (countWorlds === undefined) return problem(503, "The store does not respond. Repeat the request.");
  const bytes = sourceBytes([archived]);
  // More than the limit never finds room, so all worlds stay.
  if (bytes <= hosting.limits.values.stateBytesMax) await kept.keeper.makeRoom(bytes);
  return storedResponse(hosting, kept, added(hosting, archived, caller, countWorlds));
}

function added(
  hosting: Hosting,
  archived: ReadArchive,
  caller: ControlCaller | undefined,
  countWorlds?: CountWorlds,
): Response {
  const { limits, worlds } = hosting;
  if (sourceBytes([...worlds.values(), archived]) > limits.values.stateBytesMax) {
    limits.exceed("stateBytesMax");
    return problem(
      409,
      `The limit of the states of imported worlds is reached, ${limits.shown("stateBytesMax")}. Remove one of them, or raise the limit.`,
    );
  }
  const beyond = beyondQuota(hosting, archived.labels, countWorlds);
  return beyond === undefined
    ? createdResponse(hosting, hosting.adopt(archived, caller?.tokenDigest))
    : problem(409, beyond);
}
