import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { Hosting } from "../hosting/hosting.ts";
import { problem } from "./control-problem.ts";

/** The response to a request for a new world; its id is undefined if the limit of worlds is reached. */
export function createdResponse({ limits }: Hosting, id: string | undefined): Response {
  return id === undefined
    ? problem(409, `The limit of worlds is reached, ${limits.shown("worldsMax")}. Remove a world, or raise the limit.`)
    : jsonValueResponse(201, { id, path: `/w/${id}` });
}
