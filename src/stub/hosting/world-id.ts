import { headerValue } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withStubLimit } from "../../foundation/http/stub-limit.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { firstParticipant } from "../../simulator/world/participants.ts";

export const defaultWorldId = "default";

/** The id of a participant: that of its world and its name. In the default world the name is enough. */
export function idOf(first: string, participant: string): string {
  if (participant === firstParticipant) return first;
  return first === defaultWorldId ? participant : `${first}-${participant}`;
}

/** The ids that the world of a participant may have, from the id of the participant. `participants` are those of the default world. */
export function firstIdsOf(id: string, participants: readonly string[]): readonly string[] {
  const parts = id.split("-").slice(0, idPartsMax);
  const shorter = parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join("-"));
  return [id, ...shorter, ...(participants.includes(id) ? [defaultWorldId] : [])];
}

/** Parts of an id that are tried: the prefix of a fork, its own part, and those of the name of a participant. */
const idPartsMax = 5;

/** The id of the addressed world, and the request without the world prefix in its path. */
export function addressed<Addressed extends Pick<Request, "target" | "headers">>(
  request: Addressed,
): { readonly id: string; readonly inner: Addressed } {
  const byPath = request.target.startsWith("/w/") ? /^\/w\/([^/?]+)(\/.*)$/.exec(request.target) : null;
  if (byPath !== null) return { id: byPath[1] ?? "", inner: { ...request, target: byPath[2] ?? "/" } };
  return { id: headerValue(request.headers, "understudy-world") ?? defaultWorldId, inner: request };
}

/** A request to a further participant of the world that it addresses. */
export function forParticipant<Addressed extends Pick<Request, "target" | "headers">>(
  request: Addressed,
  participant: string,
): Addressed {
  const { id, inner } = addressed(request);
  return { ...request, target: `/w/${idOf(id, participant)}${inner.target}` };
}

/** The 404 for a world that is not hosted. */
export function unknownWorld(id: string): Response {
  const reason = `There is no world ${JSON.stringify(id)}. GET /__understudy/worlds lists all worlds.`;
  return withStubLimit(withReason(textResponse(404, "text/plain; charset=UTF-8", reason), reason), "worlds");
}
