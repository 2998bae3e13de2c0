import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import type { HostedWorld } from "../hosting/hosted-world.ts";
import type { Hosting } from "../hosting/hosting.ts";
import type { KeptWorlds } from "../hosting/kept-worlds.ts";
import { type ArchivedWorld, archivedWorld, archiveOf } from "../stores/world-archive.ts";
import type { Caller } from "./access.ts";
import { problem } from "./control-problem.ts";
import { createdResponse, storedResponse } from "./created-response.ts";
import { beyondQuota, type CountWorlds, countStored } from "./fork-response.ts";

/** A world with all its participants as one file. */
export function archiveResponse(hosting: Hosting, { first, world, labels }: HostedWorld): Response {
  const archived = { id: first, labels, start: world.fresh().whole, state: world.whole };
  const exportedAt = new Date(hosting.wallNowMs()).toISOString();
  return textResponse(200, "application/x-ndjson", archiveOf(archived, hosting.scenario, exportedAt));
}

/** Adds the world of an archive. With a store, it is stored and any replica can take it when the response is sent. */
export function importArchive(
  hosting: Hosting,
  { body }: Request,
  caller: Caller | undefined,
): Response | Promise<Response> {
  const archived = archivedWorld(body.text());
  if (typeof archived === "string") return problem(400, archived);
  const { kept, quotas } = hosting;
  if (kept === undefined) return added(hosting, archived, caller);
  const store = () => storedArchive(hosting, kept, archived, caller);
  return quotas === undefined ? store() : quotas.inTurn(store);
}

async function storedArchive(
  hosting: Hosting,
  kept: KeptWorlds,
  archived: ArchivedWorld,
  caller: Caller | undefined,
): Promise<Response> {
  const countWorlds = await countStored(hosting, kept, archived.labels);
  if (countWorlds === undefined) return problem(503, "The store does not respond. Repeat the request.");
  return storedResponse(hosting, kept, added(hosting, archived, caller, countWorlds));
}

function added(
  hosting: Hosting,
  archived: ArchivedWorld,
  caller: Caller | undefined,
  countWorlds?: CountWorlds,
): Response {
  const beyond = beyondQuota(hosting, archived.labels, countWorlds);
  return beyond === undefined ? createdResponse(hosting, hosting.adopt(archived, caller?.name)) : problem(409, beyond);
}
