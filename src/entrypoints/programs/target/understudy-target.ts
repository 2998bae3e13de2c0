import { Body, emptyBody } from "../../../foundation/http/body.ts";
import type { Handler } from "../../../foundation/http/handler.ts";
import { type HeaderList, headerValues } from "../../../foundation/http/header.ts";
import { isJsonObject, jsonOf } from "../../../foundation/json/json.ts";
import { firstParticipant } from "../../../simulator/world/participants.ts";
import { requiresControlToken } from "../../../stub/control/access.ts";
import { idOf } from "../../../stub/hosting/world-id.ts";
import { Unreachable } from "../../../transport/client/send-over-http.ts";
import type { ProgramCaller } from "../caller.ts";
import { UserError } from "../user-error.ts";
import { unreachableError } from "./unreachable-error.ts";

/** A handler whose requests go to a new world of a stub. Existing worlds are not changed; `end` removes the new one. */
export function inFreshWorld(handler: Handler): { readonly handler: Handler; end(): Promise<void> } {
  let world: Promise<string> | undefined;
  return {
    handler: async (request) => {
      world ??= freshWorld(handler);
      const id = await world;
      const target = request.target.replace("/__understudy/worlds/default", `/__understudy/worlds/${id}`);
      return handler({ ...request, target, headers: headersInWorld(request.headers, id) });
    },
    end: async () => {
      if (world === undefined) return;
      const target = `/__understudy/worlds/${await world}`;
      await handler({ method: "DELETE", target, headers: [], body: emptyBody });
    },
  };
}

/** The headers of a request to a world. A participant that they name is that of the world. */
export function headersInWorld(headers: HeaderList, world: string): HeaderList {
  const participant = headerValues(headers, "understudy-world")[0] ?? firstParticipant;
  const others = headers.filter(([name]) => name.toLowerCase() !== "understudy-world");
  return [...others, ["Understudy-World", idOf(world, participant)]];
}

async function freshWorld(handler: Handler): Promise<string> {
  const response = await handler({
    method: "POST",
    target: "/__understudy/worlds/default/fork",
    headers: [["Content-Type", "application/json"]],
    body: new Body('{"from":"start"}'),
  });
  const fork: unknown = response.type === "response" ? JSON.parse(response.body.text()) : undefined;
  if (typeof fork === "object" && fork !== null && "id" in fork && typeof fork.id === "string") return fork.id;
  throw new UserError(
    "The target is a stub that has reached its limit of worlds. Close some of its worlds, or restart it.",
  );
}

/**
 * The scenario that the target serves if it is a stub; undefined for another target. Throws a UserError if the control
 * API requires a token: such a target must not be taken for a node.
 */
export async function servedScenario(
  handler: Handler,
  { nameOf }: Pick<ProgramCaller, "nameOf">,
): Promise<string | undefined> {
  const response = await handler({
    method: "GET",
    target: "/__understudy/worlds",
    headers: [],
    body: emptyBody,
  });
  if (requiresControlToken(response))
    throw new UserError(`The target is a stub whose control API requires a token. Set ${nameOf("controlToken")}.`);
  if (response.type !== "response" || response.status !== 200) return undefined;
  const json = jsonOf(response.body.text());
  const [world] = isJsonObject(json) && Array.isArray(json["worlds"]) ? json["worlds"] : [];
  return isJsonObject(world) ? String(world["scenario"]) : undefined;
}

/** A handler that throws a UserError if the target cannot be reached. */
export function withUnreachableError(handler: Handler, against: string): Handler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      throw unreachableError(against, error, "the target");
    }
  };
}
