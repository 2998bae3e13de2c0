import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import type { HostedWorld } from "../hosting/hosted-world.ts";
import type { Hosting } from "../hosting/hosting.ts";
import { archivedWorld, archiveOf } from "../stores/world-archive.ts";
import { problem } from "./control-problem.ts";
import { createdResponse } from "./created-response.ts";

/** A world with all its participants as one file. */
export function archiveResponse(hosting: Hosting, { first, world }: HostedWorld): Response {
  const archived = { id: first, labels: [], start: world.fresh().whole, state: world.whole };
  const exportedAt = new Date(hosting.wallNowMs()).toISOString();
  return textResponse(200, "application/x-ndjson", archiveOf(archived, hosting.scenario, exportedAt));
}

/** Adds the world of an archive. With a store, it is stored and any replica can take it when the response is sent. */
export function importArchive(hosting: Hosting, { body }: Request): Response | Promise<Response> {
  const archived = archivedWorld(body.text());
  if (typeof archived === "string") return problem(400, archived);
  const response = createdResponse(hosting, hosting.adopt(archived));
  return hosting.kept === undefined ? response : hosting.kept.releaseForks().then(() => response);
}
