import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Response } from "../../foundation/http/response.ts";
import { jsonOf } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import type { Hosting } from "../hosting/hosting.ts";
import type { KeptWorlds } from "../hosting/kept-worlds.ts";
import { asProblem, problem } from "./control-problem.ts";
import type { components } from "./generated/control-types.ts";

/** The response to a request for a new world; its id is undefined if the limit of worlds is reached. */
export function createdResponse({ limits }: Hosting, id: string | undefined): Response {
  return id === undefined
    ? problem(409, `The limit of worlds is reached, ${limits.shown("worldsMax")}. Remove a world, or raise the limit.`)
    : jsonValueResponse<components["schemas"]["Fork"]>(201, { id, path: `/w/${id}` });
}

/** The response when the new world of a response is stored, and given back so that any replica can take it. Other responses stay. */
export async function storedResponse(hosting: Hosting, kept: KeptWorlds, response: Response): Promise<Response> {
  if (response.status !== 201) return response;
  const first = hosting.worlds.get(textOf(objectOf(jsonOf(response.body.text()))["id"]))?.first;
  if (first === undefined) return response;
  const unkept = await kept.keep(first);
  if (unkept !== undefined) return asProblem(unkept);
  await kept.keeper.release([first]);
  return response;
}
